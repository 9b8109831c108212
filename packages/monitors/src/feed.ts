// Feeds of the results of a monitor, as RSS 2.0, Atom and JSON Feed 1.1.
import type { EndpointFile } from '@harvestman/core/plugin'

import { notificationLine, notifiedPages } from './notify/notification.ts'
import type { MonitorKit } from './kit.ts'
import { isOver, type CheckedPage } from './records/check.ts'
import type { MonitorRecord } from './records/monitor.ts'

/** The feed formats. */
export const feedForms = ['rss', 'atom', 'json'] as const

/** A feed format. */
export type FeedForm = (typeof feedForms)[number]

/** A feed as returned by the endpoint. */
export interface Feed extends EndpointFile {
  readonly bytes: Uint8Array<ArrayBuffer>
}

interface Printed {
  readonly type: string
  readonly body: string
}

interface Entry {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly text: string
  readonly at: string
}

interface Entries {
  readonly title: string
  readonly id: string
  readonly at: string
  readonly entries: readonly Entry[]
}

const maxChecks = 200
const maxEntries = 100
const maxTextLength = 20_000

/**
 * Builds the feed of a monitor, newest check first, with at most 100 entries of its last 200 checks; running checks are
 * omitted. Without entries its time is the creation of the monitor. Rejects if the store fails.
 */
export async function feedOf(record: MonitorRecord, form: FeedForm, kit: MonitorKit): Promise<Feed> {
  const entries: Entry[] = []
  for (const check of await kit.checks.list(record.id, maxChecks)) {
    if (entries.length >= maxEntries) break
    if (isOver(check)) entries.push(...(await notifiedPages(check, kit)).map(entryOf))
  }
  const at = entries[0]?.at ?? new Date(record.createdAt).toISOString()
  const { type, body } = forms[form]({ title: record.name, id: record.id, at, entries: entries.slice(0, maxEntries) })
  return { mediaType: type, bytes: new TextEncoder().encode(body) }
}

function entryOf(page: CheckedPage): Entry {
  const { id, url, diff, createdAt: at } = page
  const text = diff?.text ?? (diff?.json === undefined ? '' : JSON.stringify(diff.json, undefined, 2))
  return { id, url, at, title: notificationLine(page), text: text.slice(0, maxTextLength) }
}

const forms: Readonly<Record<FeedForm, (feed: Entries) => Printed>> = {
  rss: ({ title, id, at, entries }) => ({
    type: 'application/rss+xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>${xml(title)}</title><link>urn:uuid:${id}</link><description>The results of the monitor ${xml(title)}.</description><lastBuildDate>${new Date(at).toUTCString()}</lastBuildDate>
${entries.map((one) => `<item><title>${xml(one.title)}</title><link>${xml(one.url)}</link><guid isPermaLink="false">urn:uuid:${one.id}</guid><pubDate>${new Date(one.at).toUTCString()}</pubDate><description>${xml(asHtml(one.text))}</description></item>`).join('\n')}
</channel></rss>`,
  }),
  atom: ({ title, id, at, entries }) => ({
    type: 'application/atom+xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${xml(title)}</title><id>urn:uuid:${id}</id><updated>${at}</updated><author><name>Harvestman</name></author>
${entries.map((one) => `<entry><title>${xml(one.title)}</title><id>urn:uuid:${one.id}</id><updated>${one.at}</updated><link href="${xml(one.url)}"/><content type="text">${xml(one.text)}</content></entry>`).join('\n')}
</feed>`,
  }),
  json: ({ title, entries }) => ({
    type: 'application/feed+json; charset=utf-8',
    body: JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title,
      items: entries.map((one) => ({
        id: one.id,
        url: one.url,
        title: one.title,
        content_text: one.text,
        date_published: one.at,
      })),
    }),
  }),
}

function asHtml(text: string): string {
  return text === '' ? '' : `<pre>${xml(text)}</pre>`
}

/** Escapes a string for XML and removes characters that XML does not allow. */
function xml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
