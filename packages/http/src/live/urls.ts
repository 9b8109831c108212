import type { LiveSession } from '@harvestman/live'

/** The addresses of a live browser. Those with a token are the key to it: they are good for as long as it lives. */
export interface LiveUrls {
  readonly cdpUrl: string
  readonly liveViewUrl: string | null
  readonly interactiveLiveViewUrl: string | null
}

export function urlsOf(at: string, { id, streamWebView, tokens }: LiveSession): LiveUrls {
  const view = `${at}/live/${id}?token=`
  return {
    cdpUrl: `${at.replace(/^http/, 'ws')}/cdp/${id}?token=${tokens.cdp}`,
    liveViewUrl: streamWebView ? view + tokens.view : null,
    interactiveLiveViewUrl: streamWebView ? view + tokens.control : null,
  }
}
