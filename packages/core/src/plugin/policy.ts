// Policies: which requests, URLs and actions are allowed.
import type { ScrapeRequest } from '../schema/scrape.ts'

/**
 * Decides which requests, URLs and actions are allowed. All policies of an engine must agree; a denial is not worked around.
 */
export interface Policy {
  readonly name: string
  /** Returns `true`, or a sentence with the reason for denying. Any other result and an exception deny as well. */
  readonly may: (question: PolicyQuestion, context: PolicyContext) => true | string | Promise<true | string>
  /** Decides whether a page may be used, after it was loaded or found in the cache. Same results as `may`. */
  readonly mayUse?: ((page: PolicyPage, context: PolicyContext) => true | string | Promise<true | string>) | undefined
  /** Attributes of elements that `mayUse` receives. */
  readonly elements?: readonly PolicyElement[] | undefined
}

/** An attribute of the elements that match a CSS selector. */
export interface PolicyElement {
  readonly selector: string
  readonly attribute: string
}

/** A page whose use a policy decides about. */
export interface PolicyPage {
  readonly url: string
  readonly status: number
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Values of the `elements` of the policy. Empty for a file without elements. */
  readonly elements: readonly (PolicyElement & { readonly values: readonly string[] })[]
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
  /** True if nothing may be sent to any host, because the request has `lockdown`. */
  readonly isOffline?: boolean | undefined
}
