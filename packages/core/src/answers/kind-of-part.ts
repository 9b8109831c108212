// Turns a plugin's kind of job into a `JobKind`.
import { tokenPricing } from '../credits/pricing.ts'
import { tariff } from '../credits/tariff.ts'
import type { Job } from '../jobs/handle.ts'
import type { Opening } from '../jobs/log/facts.ts'
import type { JobKind, RunContext, Strategy } from '../jobs/run/strategy.ts'
import type { JobPart } from '../plugin/job.ts'
import type { PageValue } from '../plugin/job-pages.ts'
import type { PageRequest } from '../schema/crawl.ts'
import type { Json } from '@harvestman/ports'
import { outputError } from '../lib/output-error.ts'
import { firstValue, parseStored, jobWebhookMessages, type StepWebhookMessages } from './answer.ts'
import { requirePorts, servicesFor } from './part-ports.ts'
import type { WebOfJobs } from './web-kit.ts'
import { listsIn } from '../threats/rules.ts'

/** Dependencies of the kinds that plugins add. */
export interface PartKit {
  readonly web: WebOfJobs
  /** Services of the engine, by port name. */
  readonly ports: ReadonlyMap<string, unknown>
  /** Fills in the defaults of the options of a page. */
  readonly pageOptions: (options: Readonly<Record<string, unknown>>) => PageRequest
}

/** Creates the `JobKind` for a kind of job that a plugin adds. */
export function kindOfPart(part: JobPart, kit: PartKit): JobKind {
  const { way } = part
  return {
    name: part.kind,
    publicName: part.kind,
    ...(way.is === 'visits' && { pages: ({ request }) => pageIn(request) }),
    ...(way.is === 'visits' && way.byTokens === true && { pricing: tokenPricing }),
    fullRequest: async ({ request }) => withoutPage(request),
    telling: jobWebhookMessages(async (job) => {
      const answer = await readJobAnswer(job, part, parseJobRequest(part, job.opening.request))
      const ended = { id: job.opening.id, creditsUsed: await job.creditsUsed(), pages: () => pagesRead(job) }
      // Cast: the result of a part has passed its schema, which is a JSON schema.
      return part.webhookPayloads.answer?.(answer, ended) ?? (answer as Json)
    }, stepsOf(part)),
    open: (opening, context) => strategyOf(part, { opening, context, kit }),
  }
}

/** Parses the stored request of a job with the schema of its kind. Throws `internal` if it does not fit. */
export function parseJobRequest({ request }: JobPart, stored: unknown): unknown {
  return parseStored(request, withoutPage(stored))
}

/** Returns the options of each page, as they were when the job was opened. */
function pageIn(stored: unknown): PageRequest {
  const { page } = stored as { readonly page: PageRequest }
  return page
}

/** Returns the request without the page options, which are stored next to it. */
function withoutPage(stored: unknown): Json {
  const { page: _, ...request } = stored as { readonly page?: PageRequest } & Readonly<Record<string, Json>>
  return request
}

/**
 * Returns the result of a completed job, built from its documents. An operation without a document has the result `null`. Rejects
 * with `internal` if the joined pages do not fit the result schema of the kind.
 */
export async function readJobAnswer(
  job: Pick<Job, 'documents'>,
  part: Pick<JobPart, 'answer' | 'kind' | 'way'>,
  request: unknown,
): Promise<unknown> {
  const { way } = part
  return way.is === 'work' ? firstValue(job) : checkAnswer(part, way.join(await pagesRead(job), request))
}

/** Parses the result of a plugin. Throws `internal` if it does not fit the schema. */
function checkAnswer({ answer, kind }: Pick<JobPart, 'answer' | 'kind'>, value: unknown): unknown {
  const read = answer.safeParse(value)
  if (read.success) return read.data
  throw outputError(`The job kind ${kind}`, read.error)
}

/**
 * Returns the visited pages in the order of their documents, with the value stored for each. Rejects if the job cannot be
 * read.
 */
export async function pagesRead({ documents }: Pick<Job, 'documents'>): Promise<readonly PageValue[]> {
  const pages: PageValue[] = []
  for await (const { json, metadata } of documents())
    pages.push({ url: metadata.sourceURL, statusCode: metadata.statusCode, value: json })
  return pages
}

function stepsOf({ webhookPayloads: { step, noAnswer } }: JobPart): StepWebhookMessages {
  const dataOf = (fact: Parameters<StepWebhookMessages['action']>[0]): Json | undefined =>
    fact.is === 'noted' ? step?.((fact.note as { readonly step?: unknown }).step) : undefined
  return {
    isAction: (fact) => dataOf(fact) !== undefined,
    action: (fact) => dataOf(fact) ?? null,
    ended: noAnswer === undefined ? [] : [noAnswer],
  }
}

interface Opened {
  readonly opening: Opening
  readonly context: RunContext
  readonly kit: PartKit
}

async function strategyOf(part: JobPart, { opening, context, kit }: Opened): Promise<Strategy> {
  const { way, kind } = part
  const { web, ports } = kit
  const request = parseJobRequest(part, opening.request)
  const services = servicesFor(part, ports)
  const ready = (): void => requirePorts(part, request, ports)
  if (way.is === 'visits') {
    const page = pageIn(opening.request)
    const { visitStrategy } = await import('./visit-strategy.ts')
    return visitStrategy({ visits: way, request, page, services, opening, context, ready })
  }
  const { workStrategy } = await import('./work-strategy.ts')
  const { makeJobWork } = await import('./part-work.ts')
  return workStrategy<unknown>({
    opening,
    context,
    address: `about:${kind}`,
    credits: part.holds?.(request) ?? tariff.page,
    maxCredits: (request as { readonly maxCredits?: number }).maxCredits,
    run: async (work) => {
      ready()
      // Cast: the result schema of a part accepts JSON only.
      return checkAnswer(part, await way.run(request, makeJobWork(work, services, web(listsIn(request))))) as Json
    },
  })
}
