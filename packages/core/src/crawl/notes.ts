import type { Failure } from '../jobs/log/events.ts'
import type { Fact } from '../jobs/log/facts.ts'
import type { Reason } from './reasons.ts'
import type { FoundAddress, TrapKind } from '@harvestman/site'

/** Finding of a crawl, as it stands in the log of its job. */
export type CrawlNote =
  /** Addresses that are visited, in the order of their numbers; and the page that led to them, when one did. */
  | { readonly found: readonly FoundAddress[]; readonly on?: string }
  /** Addresses that are not, each the first time it is met. */
  | { readonly left: readonly LeftAddress[]; readonly on?: string }
  /** Addresses that robots.txt keeps the crawl from. */
  | { readonly blocked: readonly string[] }
  /** The start redirects to another host, which the crawl is about from then on. */
  | { readonly moved: string }
  /** A redirect led here, so the page is done under this address too. */
  | { readonly landed: string }
  /** Addresses of this shape are left out as a trap from now on. */
  | { readonly trap: { readonly kind: TrapKind; readonly shape: string }; readonly failure: Failure }
  /** A page that is there, and the fingerprint of its words where it has enough of them: by these, traps are known. */
  | { readonly learnt: readonly [url: string, high?: number, low?: number] }
  /** Sitemaps were read to their end. */
  | { readonly explored: true }
  /** All was found that something leads to. What is found from here on was known from earlier crawls alone. */
  | { readonly recalled: true }
  /** A page that is followed is no more. */
  | { readonly gone: string }
  /** The start cannot be visited, for this reason. */
  | { readonly impossible: string }
  /** Something odd that the user should know. */
  | { readonly warning: string }

export type LeftAddress = readonly [url: string, reason: Reason, sentence?: string]

/** Any note, whichever it is. */
type AnyOf<Note> = {
  readonly [Key in Note extends unknown ? keyof Note : never]?: Note extends { readonly [K in Key]?: infer Value }
    ? Value
    : never
}

export function noteIn(fact: Fact): AnyOf<CrawlNote> {
  return fact.is === 'noted' ? (fact.note as AnyOf<CrawlNote>) : {}
}
