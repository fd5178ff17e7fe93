/* SPDX-License-Identifier: BSD-3-Clause
 * A headless Chromium, driven through its DevTools protocol over a pipe: no server, no packages, no network. */
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export async function startBrowser(program) {
    const folder = mkdtempSync(join(tmpdir(), 'carmine-browser-'));
    const child = spawn(program, ['--headless', '--remote-debugging-pipe', `--user-data-dir=${folder}`, '--no-sandbox', '--disable-gpu',
        '--no-first-run', '--disable-extensions', '--hide-scrollbars', '--force-color-profile=srgb', '--disable-dev-shm-usage', 'about:blank'],
        {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: {...process.env, HOME: folder}});
    const waiting = new Map(), listeners = [];
    let last = 0, rest = '';
    child.stdio[4].on('data', data => { /* messages end in NUL */
        const parts = (rest + data).split('\0');
        rest = parts.pop();
        for (const message of parts.map(part => JSON.parse(part)))
            if (message.id)
                waiting.get(message.id)?.(message);
            else
                listeners.forEach(listener => listener(message));
    });
    const send = (method, params = {}, sessionId) => new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, ({result, error}) => error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result));
        child.stdio[3].write(`${JSON.stringify({id, method, params, sessionId})}\0`);
    });
    child.on('exit', () => waiting.forEach(answer => answer({error: {message: 'the browser has ended'}})));
    const stop = async () => {
        const ended = new Promise(resolve => child.on('exit', resolve));
        send('Browser.close').catch(() => child.kill());
        await ended;
        rmSync(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 100}); /* its helpers end later */
    };
    return {send, listen: listener => listeners.push(listener), stop};
}

/* A page of its own, without network, that remembers what was written to its console and what it asked for. */
export async function openPage(browser, url, {width = 1280, height = 900, dark = false, script = true} = {}) {
    const {targetId} = await browser.send('Target.createTarget', {url: 'about:blank'});
    const {sessionId} = await browser.send('Target.attachToTarget', {targetId, flatten: true});
    const send = (method, params) => browser.send(method, params, sessionId);
    const page = {troubles: [], requests: [], send};
    let loaded;
    browser.listen(({method, params, sessionId: from}) => {
        if (from !== sessionId)
            return;
        if (method === 'Page.loadEventFired')
            loaded?.();
        else if (method === 'Runtime.exceptionThrown')
            page.troubles.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        else if (method === 'Log.entryAdded')
            page.troubles.push(params.entry.text);
        else if (method === 'Runtime.consoleAPICalled')
            page.troubles.push(params.args.map(arg => arg.value).join(' '));
        else if (method === 'Network.requestWillBeSent')
            page.requests.push(params.request.url);
    });
    for (const domain of ['Page', 'Runtime', 'Log', 'Network'])
        await send(`${domain}.enable`);
    await send('Network.emulateNetworkConditions', {offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0});
    await send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: width < 600});
    await send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}]});
    await send('Emulation.setScriptExecutionDisabled', {value: !script});
    page.load = async (method, params) => {
        const load = new Promise(resolve => loaded = resolve);
        await send(method, params);
        await load;
    };
    await page.load('Page.navigate', {url});

    /* The value of an expression in the page. */
    page.evaluate = async expression => {
        const {result, exceptionDetails} = await send('Runtime.evaluate', {expression, returnByValue: true, awaitPromise: true});
        if (exceptionDetails)
            throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
        return result.value;
    };
    page.mouse = (type, {x, y}, more = {}) => send('Input.dispatchMouseEvent', {type, x, y, ...more});
    /* Some keys do what they do by their number. */
    page.key = async key => {
        const code = {Tab: 9, Enter: 13, ' ': 32}[key], text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined;
        await send('Input.dispatchKeyEvent', {type: 'keyDown', key, text, windowsVirtualKeyCode: code});
        await send('Input.dispatchKeyEvent', {type: 'keyUp', key, windowsVirtualKeyCode: code});
    };
    page.touch = (type, places) => send('Input.dispatchTouchEvent', {type, touchPoints: places.map(({x, y}, id) => ({x, y, id}))});
    /* A PNG of what is seen, or of the whole page. */
    page.picture = async whole => {
        const {cssContentSize: size} = await send('Page.getLayoutMetrics');
        const clip = whole ? {x: 0, y: 0, width: size.width, height: size.height, scale: 1} : undefined;
        const {data} = await send('Page.captureScreenshot', {format: 'png', captureBeyondViewport: whole === true, clip});
        return Buffer.from(data, 'base64');
    };
    return page;
}
