# SPDX-License-Identifier: BSD-3-Clause
"""The roofs of a node against a baseline, as an acceptance test for ReFrame.

    reframe -c carmine_check.py -S baseline=/shared/carmine/baseline -r --distribute=idle

Measures the node in ten seconds and compares each roof with the baseline's: a result, or the medians of a folder of
results of the same machine type. Every roof is a performance variable with a reference and one threshold: how much of a
rate may be lacking, or how much longer a latency may be; what is doubtful is logged without one (-S strict=yes: has one too). The sanity check fails where a roof is missing; where one is
too slow, the performance check does, and says which.
"""
import json
import os

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class CarmineCheck(rfm.RunOnlyRegressionTest):
    descr = 'roofs of the node against the baseline'
    valid_systems = ['*']
    valid_prog_environs = ['*']
    baseline = variable(str, value='/shared/carmine/baseline')  # a result, or a folder of results
    tolerance = variable(str, value='')  # as carmine check --tolerance takes it; empty: its own
    strict = variable(bool, value=False)  # what is doubtful is judged too
    executable = 'carmine'
    executable_opts = ['run', '--quick', '-o', 'result.json']
    num_tasks = 1
    num_tasks_per_node = 1
    exclusive_access = True
    time_limit = '5m'
    keep_files = ['result.json', 'result.svg', 'check.json', 'reframe.json']

    @run_before('run')
    def compare_afterwards(self):
        check = f"carmine check result.json --baseline '{self.baseline}'"
        if self.tolerance:
            check += f" --tolerance '{self.tolerance}'"
        if self.strict:
            check += ' --strict'
        # Status 1 says that a roof fails, which the performance check tells better.
        self.postrun_cmds = [f'{check} --format reframe -o reframe.json || [ $? = 1 ]',
                             f'{check} --json -o check.json || [ $? = 1 ]']

    @sanity_function
    def no_roof_is_missing(self):
        return sn.all([sn.assert_found(r'"schema": "carmine.check/2"', 'check.json'),
                       sn.assert_not_found(r'"verdict": "missing"', 'check.json')])

    @run_before('performance')
    def every_roof_is_a_variable(self):
        with open(os.path.join(self.stagedir, 'reframe.json')) as file:
            roofs = json.load(file)['metrics']
        self.perf_variables = {
            name: sn.make_performance_function(sn.defer(roof['value']), roof['reference'][3])
            for name, roof in roofs.items()
        }
        self.reference = {'*': {name: tuple(roof['reference']) for name, roof in roofs.items()}}
