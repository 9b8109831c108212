// The pages behind links in mails. The first page only asks for confirmation, because mail clients and virus scanners open
// links by themselves. It is the same for every token.
import type { EndpointFile } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import type { MonitorKit } from '../kit.ts'
import type { EmailResult } from '../results.ts'
import { applyEmailAction } from './apply-action.ts'
import type { EmailAction } from './links.ts'

const questions = {
  confirm: { title: 'Receive messages of this monitor?', button: 'Confirm' },
  unsubscribe: { title: 'Stop messages of this monitor?', button: 'Unsubscribe' },
} as const satisfies Record<EmailAction, object>

const results: Readonly<Record<EmailResult['result'], string>> = {
  confirmed: 'Confirmed',
  already_confirmed: 'Already confirmed',
  unsubscribed: 'Unsubscribed',
  already_unsubscribed: 'Already unsubscribed',
}

/** Returns the page that asks for confirmation. Its button sends a request to the URL of the page. */
export function askPage(action: EmailAction): EndpointFile {
  const { title, button } = questions[action]
  return page(title, `<form method="post"><button>${button}</button></form>`)
}

/**
 * Carries out the action and returns the page with its result. An unknown token gets a page too; other errors reject.
 */
export async function answerPage(action: EmailAction, token: string, kit: MonitorKit): Promise<EndpointFile> {
  try {
    const { result, email, monitorName } = await applyEmailAction(action, token, kit)
    const isOn = result === 'confirmed' || result === 'already_confirmed'
    const verb = isOn ? 'receives' : 'receives no'
    return page(results[result], `<p>${html(email)} ${verb} messages of the monitor “${html(monitorName ?? '')}”.</p>`)
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'not_found') throw error
    return page('This link is no longer valid', '<p>Its monitor was deleted, or the link is incomplete.</p>')
  }
}

function page(title: string, body: string): EndpointFile {
  const text = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'">
<meta name="referrer" content="same-origin"><meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width">
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:4em auto;padding:0 1em;color-scheme:light dark}button{font:inherit;padding:.5em 1em}</style>
</head><body><main><h1>${title}</h1>${body}</main></body></html>
`
  return { mediaType: 'text/html; charset=utf-8', bytes: new TextEncoder().encode(text) }
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
