// The page behind a link to a person. Its first view opens nothing, because mail clients and virus scanners open links by
// themselves.
import type { EndpointFile } from '@harvestman/core/plugin'
import { EngineError, publicMessage } from '@harvestman/ports'

import type { PeopleKit } from './kit.ts'
import type { PersonBrowsers } from './browser.ts'
import { personReasons } from './reasons.ts'
import { linkOf, type PersonRecord } from './records.ts'

/** Actions of the page. */
export const personActions = ['open', 'done', 'failed'] as const

/** An action of the page. */
export type PersonAction = (typeof personActions)[number]

/** Returns the page of a link. A page with a live browser shows it; otherwise a button opens one. */
export async function personPage(link: string, { records, live }: PeopleKit): Promise<EndpointFile> {
  const record = await records.ofLink(link)
  if (!record || record.end) return overPage(record)
  const { team, browser } = record
  const known =
    browser &&
    (await live()
      .record(browser.id, { team })
      .catch(() => undefined))
  return known && !known.end ? openPage(record) : startPage(record)
}

/** Carries out an action and returns the page with its result. Errors that the person can solve are shown on the page. */
export async function actOnPersonPage(
  action: PersonAction,
  link: string,
  kit: PeopleKit,
  browsers: PersonBrowsers,
): Promise<EndpointFile> {
  const record = await kit.records.ofLink(link)
  if (!record || record.end) return overPage(record)
  try {
    if (action === 'open') return openPage(await browsers.open(record))
    const ended = await browsers.finish(record, action)
    return ended.end ? overPage(ended) : pendingPage()
  } catch (error) {
    if (!EngineError.is(error)) throw error
    return startPage(record, publicMessage(error))
  }
}

const results = {
  done: { title: 'Thank you', text: 'The login is saved, and the work continues. You can close this page.' },
  failed: { title: 'Thank you', text: 'The pages that needed you have failed. You can close this page.' },
  cancelled: {
    title: 'You are not needed any more',
    text: 'The work that needed you has ended. You can close this page.',
  },
  timeout: { title: 'This link has expired', text: 'Nobody was done in time. Start the work again.' },
}

function overPage(record: PersonRecord | undefined): EndpointFile {
  const result = record?.end?.result
  if (result === undefined)
    return page('This link is not valid', '<p>It is incomplete, or its request was deleted.</p>')
  const { title, text } = results[result]
  return page(title, `<p>${text}</p>`)
}

function startPage(record: PersonRecord, problem?: string): EndpointFile {
  const { host, profile, reason, expiresAt } = record
  const until = new Date(expiresAt).toUTCString()
  return page(
    `${host} needs you`,
    `${problem === undefined ? '' : `<p role="alert">${html(problem)}</p>`}
<p>${personReasons[reason]}</p>
<p>Profile: ${html(profile)}. This link expires on ${until}.</p>
${button(record, 'open', 'Open the browser')} ${button(record, 'failed', 'I cannot do this')}`,
  )
}

function openPage(record: PersonRecord): EndpointFile {
  return record.wanted ? pendingPage() : browserPage(record)
}

function pendingPage(): EndpointFile {
  return page('Thank you', '<p>The request is being ended.</p>')
}

function browserPage(record: PersonRecord): EndpointFile {
  const { id = '', viewToken = '' } = record.browser ?? {}
  return page(
    `${record.host} needs you`,
    `<p>${personReasons[record.reason]} ${button(record, 'done', 'Done')} ${button(record, 'failed', 'I cannot do this')}</p>
<iframe title="Browser" src="../../../../live/${encodeURIComponent(id)}?token=${encodeURIComponent(viewToken)}" allow="clipboard-read; clipboard-write"></iframe>`,
  )
}

function button(record: PersonRecord, action: PersonAction, text: string): string {
  return `<form method="post" action="../${action}/${linkOf(record)}"><button id="${action}">${text}</button></form>`
}

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:1em;color-scheme:light dark;display:flex;flex-direction:column;box-sizing:border-box;min-height:100vh}
h1{font-size:1.2em;margin:0}form{display:inline}button{font:inherit;padding:.4em 1em}
iframe{flex:1;min-height:30em;width:100%;border:1px solid gray}main{display:contents}`

function page(title: string, body: string): EndpointFile {
  const text = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${html(title)}</title>
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'; base-uri 'none'">
<meta name="referrer" content="same-origin"><meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width">
<style>${style}</style></head><body><main><h1>${html(title)}</h1>${body}</main></body></html>
`
  return { mediaType: 'text/html; charset=utf-8', bytes: new TextEncoder().encode(text) }
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
