// An llms.txt: the pages of a site with a sentence on each, and if wanted their texts, for programs that read it for a model.
import { askForText } from '../asking/ask-page.ts'
import { answerDoor, answerJob, answerOf, tellingOf, type AnswerJob, type AnswerStatus } from '../answers/answer.ts'
import type { WebKit } from '../answers/web-kit.ts'
import { notesOf } from '../batch/batch.ts'
import { addressStrategy } from '../batch/strategy.ts'
import type { Purse } from '../credits/purse.ts'
import { tariff } from '../credits/tariff.ts'
import { EngineError } from '@harvestman/ports'
import type { Job } from '../jobs/handle.ts'
import type { JobCaller, Jobs } from '../jobs/jobs.ts'
import type { JobKind, JobTask } from '../jobs/run/strategy.ts'
import { isEncodedJson } from '../lib/encoded-json.ts'
import type { PageRequest } from '../schema/crawl.ts'
import type { LlmsTxtRequest } from '../schema/digest.ts'
import type { AnyDocument } from '../scrape/document.ts'
import { describePage, textsOf, type DigestData, type DigestPage } from './text.ts'

export type LlmsTxt = AnswerJob<LlmsTxtStatus>

export type LlmsTxtStatus = AnswerStatus<DigestData>

export interface DigestKit {
  readonly jobs: Jobs
  /** The addresses of a site. */
  addresses(url: string, limit: number, team: string): Promise<readonly string[]>
  /** The options of each page, filled in. */
  pageOptions(request: LlmsTxtRequest): PageRequest
}

const digestKind = 'llmstxt'

const door = answerDoor({ kind: digestKind, what: 'llms.txt' }, handleOf)

export const findLlmsTxt = door.find

/** Opens a job for the pages of a site. */
export async function openLlmsTxt(request: LlmsTxtRequest, call: JobCaller, kit: DigestKit): Promise<LlmsTxt> {
  const { url, maxUrls } = request
  const found = await kit.addresses(url, maxUrls, call.team)
  const urls = [...new Set([url, ...found])].slice(0, maxUrls)
  const opening = {
    about: url,
    request: { ...request, page: kit.pageOptions(request) },
    notes: notesOf(urls),
    left: urls.length,
    credits: Math.min(urls.length * tariff.page, request.maxCredits ?? Infinity),
  }
  return door.open(opening, call, kit.jobs)
}

interface KeptRequest extends LlmsTxtRequest {
  readonly page: PageRequest
}

/** The pages are visited like those of a batch; of each only what is listed is kept. */
export function digestJobs({ llm }: Pick<WebKit, 'llm'>): JobKind {
  return {
    name: digestKind,
    eventPrefix: digestKind,
    telling: tellingOf(async (job) => ({ ...(await dataOf(job, job.opening.request)) })),
    open: (opening, context) => {
      const { page, showFullText, maxCredits } = opening.request as KeptRequest
      const request = { ...page, ...(maxCredits !== undefined && { maxCredits }) }
      const strategy = addressStrategy({ ...opening, request }, context)
      let failure: string | undefined
      let pages = 0
      return {
        ...strategy,
        fold: (fact) => {
          strategy.fold(fact)
          if (fact.is === 'page') pages += 1
          if (fact.is === 'failed') failure ??= fact.message
        },
        receive: async (task, { document }, purse) => {
          const text = textIn(document)
          const described = describePage(document.metadata, text)
          const said =
            described.description === '' ? await ask(llm, document, text, { purse, signal: context.signal }) : ''
          const description = described.description || said
          const digest: DigestPage = { ...described, description, place: placeOf(task), ...(showFullText && { text }) }
          const creditsUsed = document.metadata.creditsUsed + (said === '' ? 0 : tariff.modelFormat)
          return { document: { json: digest, metadata: { ...document.metadata, creditsUsed } } }
        },
        verdict: () =>
          pages === 0 && failure !== undefined ? { status: 'failed', message: failure } : { status: 'completed' },
      }
    },
  }
}

function placeOf({ number }: JobTask): number {
  return number
}

function textIn({ markdown }: AnyDocument): string {
  const value: unknown = isEncodedJson(markdown) ? markdown.toJSON() : markdown
  return typeof value === 'string' ? value : ''
}

const task = 'Say in one sentence of at most 25 words, in the language of the page, what the page is about.'

interface AskPart {
  /** Pays for the page, and for this too. */
  readonly purse: Purse
  readonly signal: AbortSignal
}

/**
 * A page that does not say what it is about is described by the model, when there is one and it can be paid for: it costs as
 * much as any format that a model works out.
 */
async function ask(
  llm: WebKit['llm'],
  document: AnyDocument,
  text: string,
  { purse, signal }: AskPart,
): Promise<string> {
  if (!llm || text.trim() === '') return ''
  const { url, creditsUsed } = document.metadata
  const asker = { llm, signal, use: () => undefined, warn: () => undefined }
  try {
    await purse.reserve(creditsUsed + tariff.modelFormat)
    const said = await askForText(asker, { task, page: { url, text: text.slice(0, 12_000) } }, task)
    const sentence = said.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
    if (sentence === '') await purse.settle(creditsUsed)
    return sentence
  } catch (error) {
    signal.throwIfAborted()
    if (!EngineError.is(error)) throw error
    await purse.settle(creditsUsed)
    return ''
  }
}

function handleOf(job: Job): LlmsTxt {
  return answerJob(job, (status) => answerOf(job, status, (one, { request }) => dataOf(one, request)))
}

async function dataOf({ documents }: Pick<Job, 'documents'>, request: unknown): Promise<DigestData> {
  const pages: DigestPage[] = []
  for await (const { json, metadata } of documents()) if (metadata.statusCode < 400) pages.push(json as DigestPage)
  return textsOf(pages, request as LlmsTxtRequest)
}
