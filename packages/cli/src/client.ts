// The client interface of commands, for a server or for an engine in this process.
import { createClient, type AnswerJob, type ClientOf, type CrawlJob, type SearchAnswer } from '@harvestman/client'
import type { AnyDocument, Engine } from '@harvestman/core'
import { EngineError } from '@harvestman/ports'

import type { Server } from './servers.ts'

/** Requests are untyped here; the engine or server validates them. */
type Client = ClientOf<Engine['unchecked']>

type Given<Name extends 'crawl' | 'batch' | 'search' | 'start' | 'find' | 'findCrawl' | 'findBatch'> = Parameters<
  Client[Name]
>

/** A crawl or a batch. */
export type CommandJob = Pick<CrawlJob<AnyDocument>, 'id' | 'invalidURLs' | 'events' | 'errors' | 'cancel'>

/** A job with one result. */
export type CommandAnswer = Pick<AnswerJob, 'id' | 'status' | 'cancel'>

/** The client methods that commands use. */
export interface CommandClient extends Pick<Client, 'scrape' | 'jobs' | 'findJob' | 'jobStatus' | 'parseFormats'> {
  map(request: object, ...rest: Tail<Parameters<Client['map']>>): ReturnType<Client['map']>
  parse(file: Uint8Array, ...rest: Tail<Parameters<Client['parse']>>): ReturnType<Client['scrape']>
  search(...given: Given<'search'>): Promise<SearchAnswer>
  crawl(...given: Given<'crawl'>): Promise<CommandJob>
  batch(...given: Given<'batch'>): Promise<CommandJob>
  start(...given: Given<'start'>): Promise<CommandAnswer>
  find(kind: string, id: string): CommandAnswer
  findCrawl(...given: Given<'findCrawl'>): CommandJob & Pick<CrawlJob<AnyDocument>, 'explain'>
  findBatch(...given: Given<'findBatch'>): CommandJob
  readonly changes: Pick<Client['changes'], 'history' | 'diff'>
  readonly team: Pick<Client['team'], 'preview'>
}

type Tail<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Rest] ? Rest : never

/** Creates the client of a server. Sends nothing yet. */
export function connect(server: Server): CommandClient {
  return createClient<Engine['unchecked']>(server)
}

/** The methods of a feature, one per endpoint. */
export type FeatureMethods = Readonly<Record<string, ((...given: readonly unknown[]) => Promise<unknown>) | undefined>>

/**
 * Returns the methods of a feature. Throws `not_configured` if an engine of this process does not have it. The client of a
 * server has methods for every name; the methods of an unknown feature reject with `NOT_FOUND`.
 */
export function featureOf(client: CommandClient, name: string): FeatureMethods {
  const methods = Reflect.get(client, name) as FeatureMethods | undefined
  if (methods) return methods
  throw new EngineError('not_configured', `This engine has no ${name}. Add its plugin to plugins.`)
}

/** Returns the handle of a batch for the kind `batch`, otherwise of a crawl. Does not check that it exists. */
export function findPages(client: CommandClient, { id, kind }: { readonly id: string; readonly kind: string }) {
  return kind === 'batch' ? client.findBatch(id) : client.findCrawl(id)
}
