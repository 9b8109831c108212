// Policies: what may be requested, visited and done.
import type { ScrapeRequest } from '../schema/scrape.ts'

/** Says what may be done. All policies of an engine must agree, and what one forbids is not tried in another way. */
export interface Policy {
  readonly name: string
  /** True, or a sentence with the reason why not. Anything else, and a fault, forbids as well. */
  readonly may: (question: PolicyQuestion, context: PolicyContext) => true | string | Promise<true | string>
}

/** Question to a policy: what is about to be done. */
export type PolicyQuestion =
  /** A page is asked for, before anything of it is loaded. */
  | { readonly is: 'request'; readonly request: ScrapeRequest }
  /** An address is about to be visited: that of the request, each redirect, and where a page goes in a browser. */
  | { readonly is: 'url'; readonly url: URL }
  /** An action is about to be done on the page, with its options. */
  | { readonly is: 'action'; readonly action: PolicyAction; readonly url: string }

/** An action that is about to be done: its type, and its options. */
export interface PolicyAction {
  readonly type: string
  readonly [option: string]: unknown
}

/** Context of a question to a policy. */
export interface PolicyContext {
  /** The team that asks. */
  readonly team: string
  readonly signal: AbortSignal
}
