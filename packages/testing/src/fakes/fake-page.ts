/** A page of a fake browser. */
export interface FakePage {
  readonly html?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Where it redirects to. */
  readonly redirect?: string
  readonly setCookies?: Readonly<Record<string, string>>
  /** What the page has become when a caller waits for an element that is not there yet. */
  readonly later?: string
  /** Never loads, or fails to. */
  readonly trouble?: 'silent' | 'broken'
}

/** What a page can know of who visits it. */
export interface FakeVisit {
  readonly url: URL
  readonly cookies: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

/** Pages by their whole address, or by their path for any host. A text is the HTML of a page. */
export type FakePages = Readonly<Record<string, string | FakePage | ((visit: FakeVisit) => string | FakePage)>>

/** What a tab has come to; scripts may look at it and change it. */
export interface FakeTabState {
  url: string
  html: string
  readonly storage: Record<string, string>
  /** What was typed into the element of each selector. */
  readonly typed: Record<string, string>
  readonly pressed: string[]
  /** How many elements were clicked. */
  clicks: number
  scrolled: number
}

/** Answers to scripts, by their text. */
export type FakeScripts = Readonly<Record<string, (tab: FakeTabState) => unknown>>
