// Resources that a client can attach to a conversation by URI: scraped pages, crawls, and pages of crawls.
import type { Answer } from './answer.ts'
import { maxResponseTokens } from './budget.ts'
import { pagesOf } from './job-tools.ts'
import { pageAnswer } from './page-tools.ts'
import type { ToolContext } from './tool.ts'
import type { WebApi } from './web-api.ts'

interface ListedResource {
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
}

/** A kind of resource, and how to read it. */
export interface Resource {
  readonly name: string
  readonly template: string
  readonly title: string
  readonly description: string
  readonly list?: (api: WebApi) => Promise<readonly ListedResource[]>
  readonly read: (given: Readonly<Record<string, string | readonly string[]>>, context: ToolContext) => Promise<Answer>
}

interface ListedJob {
  readonly id: string
  readonly status: string
  readonly about?: string
  readonly completed?: number
}

const newest = 50

async function listCrawls(api: WebApi): Promise<readonly ListedResource[]> {
  const { jobs } = await api.get<{ jobs: readonly ListedJob[] }>(`/v2/jobs?kind=crawl&limit=${newest}`)
  return jobs.map(({ id, status, about = id, completed = 0 }) => ({
    uri: `harvestman://job/${id}`,
    name: `Crawl of ${about}`,
    description: `${status}, ${completed} pages`,
    mimeType: 'text/markdown',
  }))
}

export const resources: readonly Resource[] = [
  {
    name: 'page',
    template: 'harvestman://page/{id}',
    title: 'A scraped page',
    description: 'The Markdown of a page that was scraped, by its id.',
    read: ({ id }, context) => pageAnswer(String(id), maxResponseTokens, context),
  },
  {
    name: 'job',
    template: 'harvestman://job/{id}',
    title: 'A crawl',
    description: 'The pages of a crawl: titles, sizes and ids.',
    list: listCrawls,
    read: ({ id }, context) => pagesOf(String(id), 0, maxResponseTokens, context),
  },
  {
    name: 'page-of-job',
    template: 'harvestman://job/{id}/{number}',
    title: 'A page of a crawl',
    description: 'The Markdown of one page of a crawl, by its number from 0.',
    read: ({ id, number }, context) => pageAnswer(`${String(id)}/${String(number)}`, maxResponseTokens, context),
  },
]
