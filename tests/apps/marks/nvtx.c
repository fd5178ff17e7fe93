/* SPDX-License-Identifier: BSD-3-Clause
 * NVTX. With -DWITH_NVTX by its own headers; else by as much of them as stands in nvtx_header.h. */
#include <string.h>
#include <wchar.h>

#include "regions.h"

#ifdef WITH_NVTX
#include <nvtx3/nvToolsExt.h>
#else
#include "nvtx_header.h"
#endif

static nvtxDomainHandle_t domain;
static nvtxRangeId_t ranges[256];
#define PUSH(name)  nvtxRangePushA(name)
#define POP(name)   nvtxRangePop()
#define START(name) ranges[(unsigned char)(name)[0]] = nvtxRangeStartA(name)
#define END(name)   nvtxRangeEnd(ranges[(unsigned char)(name)[0]])

static nvtxEventAttributes_t event(int type, const void *text) {
    nvtxEventAttributes_t event;
    memset(&event, 0, sizeof event);
    event.version = NVTX_VERSION;
    event.size = sizeof event;
    event.messageType = type;
    memcpy(&event.message, &text, sizeof text);
    return event;
}

int main(void) {
    NEST(PUSH, POP);
    OVERLAP(START, END);
    domain = nvtxDomainCreateA("library");
    const nvtxEventAttributes_t named = event(NVTX_MESSAGE_TYPE_ASCII, "in a domain"),
                                wide = event(NVTX_MESSAGE_TYPE_UNICODE, L"w\u00efde"),
                                registered = event(NVTX_MESSAGE_TYPE_REGISTERED,
                                                   nvtxDomainRegisterStringA(domain, "registered"));
    nvtxDomainRangePushEx(domain, &named);
    nvtxRangePushEx(&wide); /* of another domain, so it ends by itself */
    work(2);
    nvtxDomainRangePop(domain);
    work(30);
    nvtxRangePop();
    const nvtxRangeId_t range = nvtxDomainRangeStartEx(domain, &registered);
    work(5);
    nvtxDomainRangeEnd(domain, range);
    printf("region \"in a domain\" calls 1 open 0 mismatched 1 flop 2\n"
           "region \"w?de\" calls 1 open 0 mismatched 0 flop 32\n"
           "region \"registered\" calls 1 open 0 mismatched 0 flop 5\n");
    return 0;
}
