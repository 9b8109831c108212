// Policies: which requests, URLs and actions are allowed.
import type { ScrapeRequest } from '../schema/scrape.ts'

/**
 * Decides which requests, URLs and actions are allowed. All policies of an engine must agree; a denial is not worked around.
 */
export interface Policy {
  readonly name: string
  /** Returns `true`, or a sentence with the reason for denying. Any other result and an exception deny as well. */
  readonly may: (question: PolicyQuestion, context: PolicyContext) => true | string | Promise<true | string>
}

/** Subject of a policy's decision. */
export type PolicyQuestion =
  /** A page was requested. Loading has not started. */
  | { readonly is: 'request'; readonly request: ScrapeRequest }
  /** A URL is about to be visited: the requested one, each redirect, and each navigation of a page in a browser. */
  | { readonly is: 'url'; readonly url: URL }
  /** An action with its options is about to run on the page at `url`. */
  | { readonly is: 'action'; readonly action: PolicyAction; readonly url: string }

/** An action that is about to run: its type and its options. */
export interface PolicyAction {
  readonly type: string
  readonly [option: string]: unknown
}

/** Context of a decision. */
export interface PolicyContext {
  /** Team of the request. */
  readonly team: string
  readonly signal: AbortSignal
}
