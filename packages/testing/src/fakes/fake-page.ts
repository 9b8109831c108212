/** A page of a fake browser. */
export interface FakePage {
  readonly html?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** URL that it redirects to. */
  readonly redirect?: string
  readonly setCookies?: Readonly<Record<string, string>>
  /** HTML that the page has as soon as a caller waits for an element that is missing so far. */
  readonly later?: string
  /** The page never loads, or loading fails. */
  readonly trouble?: 'silent' | 'broken'
}

/** Information about the visitor that a page can use. */
export interface FakeVisit {
  readonly url: URL
  readonly cookies: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

/** Pages by their URL, or by their path on any host. A string is the HTML of a page. */
export type FakePages = Readonly<Record<string, string | FakePage | ((visit: FakeVisit) => string | FakePage)>>

/** Current state of a tab; scripts may read and change it. */
export interface FakeTabState {
  url: string
  html: string
  readonly storage: Record<string, string>
  /** The typed text, by selector of the element. */
  readonly typed: Record<string, string>
  readonly pressed: string[]
  /** Number of clicked elements. */
  clicks: number
  scrolled: number
}

/** Results of scripts, by their source. */
export type FakeScripts = Readonly<Record<string, (tab: FakeTabState) => unknown>>
