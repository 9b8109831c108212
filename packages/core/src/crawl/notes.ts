import type { Failure } from '../jobs/log/events.ts'
import type { Fact } from '../jobs/log/facts.ts'
import type { Reason } from './reasons.ts'
import type { FoundUrl, TrapKind } from '@harvestman/site'

/** A finding of a crawl, as stored in the log of its job. */
export type CrawlNote =
  /** URLs to visit, in the order of their numbers, and the page with the links, if any. */
  | { readonly found: readonly FoundUrl[]; readonly on?: string }
  /** URLs that are skipped, each the first time it is found. */
  | { readonly left: readonly SkippedUrl[]; readonly on?: string }
  /** URLs that robots.txt disallows. */
  | { readonly blocked: readonly string[] }
  /** The start redirects to another host, which becomes the scope of the crawl. */
  | { readonly moved: string }
  /** A page redirected to this URL, which is therefore finished too. */
  | { readonly landed: string }
  /** From now on, URLs of this shape are skipped as a trap. */
  | { readonly trap: { readonly kind: TrapKind; readonly shape: string }; readonly failure: Failure }
  /** An existing page, with the fingerprint of its text if it has enough. Used for trap detection. */
  | { readonly learnt: readonly [url: string, high?: number, low?: number] }
  /** The sitemaps have been read completely. */
  | { readonly explored: true }
  /** Everything linked has been found. From here on, pages are known from earlier crawls only. */
  | { readonly recalled: true }
  /** A tracked page no longer exists. */
  | { readonly gone: string }
  /** The start cannot be visited, for this reason. */
  | { readonly impossible: string }
  /** A warning for the user. */
  | { readonly warning: string }

/** A skipped URL. Without a sentence, the default text of the reason applies. */
export type SkippedUrl = readonly [url: string, reason: Reason, sentence?: string]

/** Union of all note types, with every property optional. */
type AnyOf<Note> = {
  readonly [Key in Note extends unknown ? keyof Note : never]?: Note extends { readonly [K in Key]?: infer Value }
    ? Value
    : never
}

/** Returns the crawl note in a fact; an empty object for any other fact. */
export function crawlNoteOf(fact: Fact): AnyOf<CrawlNote> {
  return fact.is === 'noted' ? (fact.note as AnyOf<CrawlNote>) : {}
}
