import { createHash } from 'node:crypto'

import { pageCall } from '@harvestman/toolbox/page-call'

import type { Answer } from '../answer/answer.ts'
import { runLiveView } from '../page-scripts.ts'
import { viewBody, viewStyle } from './page.ts'

const viewScript = pageCall(runLiveView)
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // The URL contains the access token, so it must not leak as a referrer.
  'referrer-policy': 'no-referrer',
  // Any site may embed this page in a frame.
  'content-security-policy': `default-src 'none'; script-src ${hashOf(viewScript)}; style-src ${hashOf(viewStyle)}; img-src blob:; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'; frame-ancestors *`,
}

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content"><meta name="robots" content="noindex"><title>Live view</title><style>${viewStyle}</style>${viewBody}<script>${viewScript}</script></html>`

/**
 * Returns the HTML page of the live view. It is the same for every browser session. Its own headers replace those that are
 * passed.
 */
export function viewAnswer(_value: true, more: Readonly<Record<string, string>>): Answer {
  return { status: 200, headers: { ...more, ...headers }, body: page }
}
