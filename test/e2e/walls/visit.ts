import type { Engine } from '@harvestman/core'

import type { WallHost } from './site.ts'

/** What a scrape of a page behind a wall did. */
export interface WallVisit {
  /** Steps as one would read them aloud: `http 403`, `browser next`. */
  readonly steps: readonly string[]
  /** Reasons of the steps that were chosen after a block, and of a remembered step. */
  readonly reasons: readonly string[]
  readonly requests: number
  readonly credits: number
  readonly proxyUsed: string | undefined
  readonly status: number | undefined
  readonly warning: string | undefined
  readonly isPassed: boolean
}

/** Scrapes a page with `proxy: auto` and its explanation. */
export async function visitWall(
  { url, requests }: WallHost,
  path: string,
  engine: Pick<Engine, 'scrape'>,
): Promise<WallVisit> {
  const before = requests.length
  const document = await engine.scrape(
    { url: url + path, proxy: 'auto', timeout: 120_000, skipTlsVerification: url.startsWith('https') },
    { explain: true },
  )
  const { metadata, markdown, warning, explain } = document
  const steps = explain?.steps ?? []
  const told = steps.filter(({ step }) => ['hosts', 'loader', 'block', 'scripts'].includes(step) || step === 'proxy')
  const chosen = told.filter(
    ({ step, outcome }) => step !== 'loader' && !(step === 'proxy' && !outcome.endsWith('next')),
  )
  return {
    steps: told.map(({ step, outcome, loader, status }) =>
      step === 'loader' ? `${loader} ${status ?? outcome}` : outcome,
    ),
    reasons: chosen.flatMap(({ reason }) => reason ?? []),
    requests: requests.length - before,
    credits: metadata.creditsUsed,
    proxyUsed: metadata.proxyUsed,
    status: metadata.statusCode,
    warning,
    isPassed: markdown.includes('Behind the wall'),
  }
}
