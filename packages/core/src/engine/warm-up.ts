import { pageReaderParts } from '@harvestman/html/checking'
import { EngineError } from '@harvestman/ports'
import type { z } from 'zod'

import { nextTurn } from '@harvestman/toolbox/next-turn'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { Deadline } from '../scrape/deadline.ts'
import type { Reading } from '../scrape/readings.ts'
import { documentLimit, type Kit } from '../scrape/kit.ts'
import { makePlan } from '../scrape/plan.ts'
import { someTeam } from './some-team.ts'

const url = 'https://example.com/'
/** Sections of the generated pages. The last has about 13 KB: longer ones leave more garbage than they compile code. */
const sizes = [4, 20]

type WarmUpSteps = readonly (() => Promise<unknown>)[]

/** The code that kinds of requests need at their first use. */
export interface FirstUses {
  /** Functions that load code. */
  readonly warmUps: WarmUpSteps
  /** Values that a scrape does not read from its pages. */
  readonly readings: readonly Reading[]
}

type Schemas = Readonly<Record<string, z.ZodType>> & { readonly scrape: z.ZodType<ScrapeRequest> }

// Hosts under load need seconds.
const maxTime = 60_000

/**
 * Loads and compiles the code for the first requests of a process: builds each schema, prepares the fetcher, reads generated
 * pages, and loads the code for the first request of each kind. Other work of the process continues between these steps.
 * Loads nothing from the network, and stores, charges and reports nothing. Rejects with `closed` when the engine is
 * closed, and with `timeout` after a minute, even if a step does not end.
 */
export async function warmUp(kit: Kit, schemas: Schemas, uses: readonly FirstUses[]): Promise<void> {
  const steps: WarmUpSteps = [
    ...Object.keys(schemas).map((name) => async () => schemas[name]?.safeParse({ url })),
    async () => kit.fetcher.warmUp?.(),
    ...pageReaderParts,
    () => import('../readers/read-page.ts'),
    ...uses.flatMap(({ warmUps }) => warmUps),
  ]
  const deadline = kit.deadlines.start(maxTime, undefined, tooLate)
  try {
    await runSteps(steps, deadline)
    const readings = uses.flatMap((use) => use.readings)
    await runSteps(readingSteps(kit, schemas, readings, deadline.signal), deadline)
  } finally {
    deadline.end()
  }
}

function tooLate(): EngineError {
  const message = `The warm-up did not end within ${maxTime / 1_000} seconds. Reduce the load of the host, or call warmUp again later.`
  return new EngineError('timeout', message)
}

/** Runs steps in sequence, each in a turn of the event loop of its own. */
async function runSteps(steps: WarmUpSteps, deadline: Deadline): Promise<void> {
  for (const step of steps) {
    deadline.check()
    await deadline.race(step())
    await nextTurn()
  }
}

/** Returns the steps that read each value of a small page alone, and then all values of longer and longer pages. */
function readingSteps(kit: Kit, schemas: Schemas, more: FirstUses['readings'], signal: AbortSignal): WarmUpSteps {
  const request = schemas.scrape.parse({ url, formats: ['markdown', 'links'] })
  const { readings } = makePlan(request, kit, { readings: more })
  const read = (sections: number, wanted: typeof readings) => async (): Promise<void> => {
    // As bytes, which also loads the code that finds the encoding.
    const html = { bytes: Buffer.from(samplePage(sections)), contentType: 'text/html' }
    const task = { source: { html }, url, team: someTeam, scope: request, wanted, version: undefined }
    await kit.reader.read({ ...task, most: documentLimit(kit) }, signal)
  }
  return [
    ...[[], ...readings.map((reading) => [reading])].map((wanted) => read(1, wanted)),
    ...sizes.map((size) => read(size, readings)),
  ]
}

/** Returns a page with the elements of most pages: navigation, an article with lists and a table, and metadata. */
function samplePage(sections: number): string {
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
