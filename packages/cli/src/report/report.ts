// HTML report of a job in a single file. It loads nothing, works without scripts, and escapes page content.
import { createHash } from 'node:crypto'

import { errorCodes } from '@harvestman/ports'

import type { ReportData, ReportPage } from './data.ts'
import { folderPicture, foldersOf } from './folders.ts'
import { script, style } from './look.ts'
import { fragment, type Markup } from './markup.ts'
import { bytes, count, kindOf, kinds, percentile, signs, time, type Kind } from './numbers.ts'
import { bars, doubling, shares, type Bar } from './plots.ts'

const maxTitle = 60
const maxUrls = 100
const maxFailures = 500
const timeBars = 30

/**
 * Returns the report of a job as one HTML page that loads nothing from elsewhere. All values are escaped. It lists at most 500
 * failures, and 100 skipped URLs for each reason.
 */
export function reportHtml(data: ReportData): string {
  const { kind, status, message, request, id, startedAt } = data
  const target = targetOf(request)
  const title = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} of ${target}`
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'`
  const page = fragment`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <style>${{ markup: style }}</style>
      </head>
      <body>
        <header>
          <h1>${title}</h1>
          <p class="muted">
            ${status}, begun ${startedAt.replace('T', ' ').slice(0, 19)} UTC,
            ${time(data.took)}${message !== undefined && `. ${message}`}
          </p>
        </header>
        <main>
          ${tiles(data)}${statusShares(data)}${plots(data)}${data.pages.length > 0 && folderPicture(foldersOf(data.pages))}${failures(data)}${leftOut(data)}${table(data)}
          <details>
            <summary>The request</summary>
            <pre>${JSON.stringify(request, null, 2)}</pre>
          </details>
        </main>
        <footer>Harvestman, ${kind} ${id}</footer>
        ${{ markup: `<script>${script}</script>` }}
      </body>
    </html> `
  return page.markup
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function targetOf(request: unknown): string {
  const { url, urls } = request as { readonly url?: string; readonly urls?: readonly string[] }
  return url ?? `${count(urls?.length ?? 0)} addresses`
}

function tiles({ pages, failures: failed, credits, took }: ReportData): Markup {
  const times = timesOf(pages)
  const facts: readonly (readonly [string, string])[] = [
    [count(pages.length), pages.length === 1 ? 'page' : 'pages'],
    [count(failed.length), 'failed'],
    [took > 0 ? ((pages.length * 1_000) / took).toFixed(1) : '–', 'pages a second'],
    ...(times.length > 0 ? [[time(percentile(times, 0.95)), 'for 95 % of the pages at most'] as const] : []),
    [bytes(pages.reduce((sum, page) => sum + page.bytes, 0)), 'in all'],
    [count(credits), credits === 1 ? 'credit' : 'credits'],
  ]
  return fragment`<section class="tiles" aria-label="In short">
    ${facts.map(([value, name]) => fragment`<div><b>${value}</b><span>${name}</span></div>`)}
  </section>`
}

const kindNames: Readonly<Record<Kind, string>> = {
  ok: '✓ good',
  moved: '→ moved',
  refused: '! refused',
  broken: '✕ broken',
}

function statusShares({ pages, failures: failed }: ReportData): Markup {
  const counts = countKinds(pages)
  const parts = kinds.map((kind) => ({ kind, label: kindNames[kind], value: counts[kind] }))
  const all = failed.length > 0 ? [...parts, { kind: 'broken', label: '✕ not loaded', value: failed.length }] : parts
  return shares('Outcomes of the pages', all)
}

function countKinds(pages: readonly ReportPage[]): Record<Kind, number> {
  const counts = { ok: 0, moved: 0, refused: 0, broken: 0 }
  for (const { status } of pages) counts[kindOf(status)] += 1
  return counts
}

function timesOf(pages: readonly ReportPage[]): readonly number[] {
  return pages.flatMap(({ ms }) => ms ?? [])
}

function plots({ pages, failures: failed }: ReportData): Markup | false {
  if (pages.length === 0) return false
  const depths = byDepth(pages)
  const times = timesOf(pages)
  return fragment`<section class="plots" aria-label="Plots">
    ${statusPlot(pages)}${overTime(pages)}${
      depths.length > 0 &&
      bars({
        title: 'Depth',
        caption: 'Pages by the links that lead to them from the start.',
        bars: depths,
        unit: 'pages',
      })
    }${times.length > 0 && histogram('Time to load a page', times, time)}${histogram(
      'Size of a page',
      pages.map((page) => page.bytes),
      bytes,
    )}${failed.length > 0 && failurePlot(failed)}
  </section>`
}

function statusPlot(pages: readonly ReportPage[]): Markup {
  const counts = Map.groupBy(pages, ({ status }) => status)
  const all = [...counts].toSorted(([a], [b]) => a - b)
  const statuses = all.map(([status, { length }]) => `${count(length)} \u00d7 ${status}`).join(', ')
  return bars({
    title: 'Statuses',
    caption: `${statuses}.`,
    bars: all.map(([status, { length }]) => ({ label: `${status}`, parts: { [kindOf(status)]: length } })),
    unit: 'pages',
  })
}

function overTime(pages: readonly ReportPage[]): Markup {
  const last = pages.reduce((most, { at }) => Math.max(most, at), 1)
  const width = last / timeBars
  const slots = Map.groupBy(pages, ({ at }) => Math.min(timeBars - 1, Math.floor(at / width)))
  return bars({
    title: 'Pages over time',
    caption: `The last page came ${time(last)} after the first.`,
    bars: Array.from({ length: timeBars }, (_, slot) => ({
      label: time(slot * width),
      parts: countKinds(slots.get(slot) ?? []),
    })),
    unit: 'pages',
  })
}

function byDepth(pages: readonly ReportPage[]): readonly Bar[] {
  const known = Map.groupBy(
    pages.filter(({ depth }) => depth !== undefined),
    ({ depth = 0 }) => depth,
  )
  const deepest = Math.max(-1, ...known.keys())
  return Array.from({ length: deepest + 1 }, (_, depth) => ({
    label: `${depth}`,
    parts: countKinds(known.get(depth) ?? []),
  }))
}

function histogram(title: string, values: readonly number[], name: (value: number) => string): Markup {
  const [median, most] = [percentile(values, 0.5), percentile(values, 0.95)]
  const { bars: all, place } = doubling(values, name)
  return bars({
    title,
    caption: `Half at most ${name(median)}, 95 % at most ${name(most)}.`,
    bars: all,
    marks: [
      { label: 'half', at: place(median) },
      { label: '95 %', at: place(most) },
    ],
    unit: 'pages',
  })
}

function failurePlot(failed: ReportData['failures']): Markup {
  const codes = [...Map.groupBy(failed, ({ code }) => code)].toSorted(([, a], [, b]) => b.length - a.length)
  return bars({
    title: 'Failures',
    caption: `${count(failed.length)} pages failed.`,
    bars: codes.map(([code, { length }]) => ({ label: code.replaceAll('_', ' '), parts: { broken: length } })),
    unit: 'pages',
  })
}

/** Error codes of engines. Codes of servers have no description here. */
const known: Readonly<Record<string, { readonly means: string; readonly retryable: boolean } | undefined>> = errorCodes

function failures({ failures: failed }: ReportData): Markup | false {
  if (failed.length === 0) return false
  const codes = [...Map.groupBy(failed, ({ code }) => code)].toSorted(([, a], [, b]) => b.length - a.length)
  return fragment`<section>
    <h2>Failed pages</h2>
    ${codes.map(
      ([code, all]) =>
        fragment`<details>
          <summary>
            <b class="s broken">${count(all.length)} \u00d7 ${code}</b> ${known[code]?.means}
            ${known[code]?.retryable === true && 'A retry may help.'}
          </summary>
          <ul>
            ${all
              .slice(0, maxFailures / codes.length)
              .map(({ url, error }) => fragment`<li>${url}<br /><span class="muted">${error}</span></li>`)}
          </ul>
        </details>`,
    )}
  </section>`
}

function leftOut({ left }: ReportData): Markup | false {
  if (left.length === 0) return false
  return fragment`<section>
    <h2>Skipped URLs</h2>
    ${left.map(
      ({ sentence, urls }) =>
        fragment`<details>
          <summary><b>${count(urls.length)}</b> ${sentence}</summary>
          <ul>
            ${urls.slice(0, maxUrls).map((url) => fragment`<li>${url}</li>`)}
          </ul>
          ${urls.length > maxUrls && fragment`<p class="muted">The first ${maxUrls} are listed.</p>`}
        </details>`,
    )}
  </section>`
}

function table({ pages }: ReportData): Markup | false {
  if (pages.length === 0) return false
  const hosts = new Set(pages.map(({ url }) => originOf(url)))
  const [only = ''] = hosts.size === 1 ? hosts : []
  return fragment`<section>
    <h2>Pages</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Pages">
      <table class="pages">
        <thead>
          <tr>
            <th>Status</th>
            <th>URL</th>
            <th>Title</th>
            <th>Time</th>
            <th>Size</th>
            <th>Depth</th>
          </tr>
        </thead>
        <tbody>
          ${pages.map((page) => row(page, only))}
        </tbody>
      </table>
    </div>
  </section>`
}

function row({ url, status, title, ms, bytes: size, depth }: ReportPage, origin: string): Markup {
  const kind = kindOf(status)
  const shown = origin !== '' && url.startsWith(origin) ? url.slice(origin.length) : url
  const name = title.length > maxTitle ? `${title.slice(0, maxTitle - 1)}…` : title
  return fragment`<tr>
    <td class="s ${kind}">${signs[kind]} ${status}
    <td>${kind === 'ok' ? shown : linked(url, shown)}
    <td>${name}
    <td data-v="${ms === undefined ? '' : Math.round(ms)}">${ms === undefined ? '' : time(ms)}
    <td data-v="${size}">${bytes(size)}
    <td>${depth ?? ''}
   `
}

/** Links only pages with an unusual status, which are worth opening. Links for all pages would double the report's size. */
function linked(url: string, shown: string): Markup {
  return /^https?:/i.test(url) ? fragment`<a href="${url}">${shown}</a>` : fragment`${shown}`
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
