import type { z } from 'zod'

import type { ScrapeRequest } from '../schema/scrape.ts'
import { documentLimit, type Kit } from '../scrape/kit.ts'
import { makePlan } from '../scrape/plan.ts'
import { someTeam } from './some-team.ts'

const url = 'https://example.com/'
/** About 40 KB. A page of one paragraph leaves most of the code uncompiled. */
const sections = 60

/**
 * Plans a scrape, prepares the fetcher and reads a generated page, which loads and compiles the code for the first scrape of a
 * process. Loads nothing from the network, and stores, charges and reports nothing.
 */
export async function warmUp(kit: Kit, schemas: { readonly scrape: z.ZodType<ScrapeRequest> }): Promise<void> {
  const request = schemas.scrape.parse({ url, formats: ['markdown', 'links'] })
  const { readings: wanted } = makePlan(request, kit)
  const task = { source: { html: samplePage() }, url, team: someTeam, scope: request, wanted, version: undefined }
  await kit.fetcher.warmUp?.()
  await kit.reader.read({ ...task, most: documentLimit(kit) }, new AbortController().signal)
}

/** Returns a page with the elements of most pages: navigation, an article with lists and a table, and metadata. */
function samplePage(): string {
  const links = Array.from(
    { length: sections },
    (_, n) => `<li><a class="nav-link" href="/page/${n}">Page ${n}</a></li>`,
  )
  const article = Array.from({ length: sections }, (_, n) => sectionOf(n))
  const data = JSON.stringify({ '@context': 'https://schema.org', '@type': 'Article', headline: 'Warm-up' })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Warm-up</title>
<meta name="description" content="A generated page."><meta property="og:title" content="Warm-up"><link rel="canonical" href="/">
<style>.card{margin:1px auto;color:#123456}.hidden{display:none}</style><script type="application/ld+json">${data}</script></head>
<body><header><nav><ul>${links.join('\n')}</ul></nav></header><main><article><h1>Warm-up</h1>
<p class="byline">By A. Author, <time datetime="2026-01-02">January 2, 2026</time></p>${article.join('\n')}</article>
<aside><h2>Related</h2><ul>${links.join('\n')}</ul></aside></main><footer><p>All rights reserved.</p></footer></body></html>`
}

function sectionOf(n: number): string {
  const sentence = `Sentence ${n} of the generated page has <strong>words</strong>, &amp; a <a href="/word/${n}">link</a> to read.`
  const table = `<table><tr><th>Name</th><th>Value</th></tr><tr><td>n</td><td>${n}</td></tr></table>`
  return `<h2>Section ${n}</h2><p>${`${sentence} `.repeat(4)}</p><ul><li>One</li><li>${sentence}</li></ul>${n % 10 === 0 ? table : ''}`
}
