// Written by scripts/client-types.ts from the schemas of the engine. Change those, and run it.

/** Headers that are sent to the host of the address, and to no other. */
export type Headers = {
  readonly [key: string]: string
}

export interface PdfParser {
  readonly type: 'pdf'
  /** How text is found. All modes read the text that is in the file; text in pictures is not recognised. Default: `"auto"`. */
  readonly mode?: 'fast' | 'auto' | 'ocr' | undefined
  /** The most pages that are read, from the first on. */
  readonly maxPages?: number | undefined
}

/** Where the request seems to come from: the country of the proxy, and the languages that are asked for. */
export interface Location {
  /** A two-letter country code (ISO 3166-1), such as US or DE. */
  readonly country?: string | undefined
  /** Language tags (BCP 47), the preferred first. Those of the country when the list is empty. Default: `[]`. */
  readonly languages?: readonly string[] | undefined
}

/** The content of the page as GitHub-flavoured Markdown. */
export interface MarkdownFormat {
  readonly type: 'markdown'
}

/** The content of the page as clean HTML. */
export interface HtmlFormat {
  readonly type: 'html'
}

/** The page as it was received, decoded. */
export interface RawHtmlFormat {
  readonly type: 'rawHtml'
}

/** Where the content links to: absolute, each once, in the order of the page. */
export interface LinksFormat {
  readonly type: 'links'
}

/** The addresses of the images: absolute, each once. */
export interface ImagesFormat {
  readonly type: 'images'
}

/** What the page says about itself, and how it was loaded. */
export interface MetadataFormat {
  readonly type: 'metadata'
}

/** Attributes of elements, as they stand in the page. */
export interface AttributesFormat {
  readonly type: 'attributes'
  /** What is read, and from which elements. */
  readonly selectors: readonly {
    /** A CSS selector. */
    readonly selector: string
    /** The name of the attribute to read. */
    readonly attribute: string
  }[]
}

/** A picture of the page: its address. */
export interface ScreenshotFormat {
  readonly type: 'screenshot'
  /** Shows all of the page, and not only the window. Default: `false`. */
  readonly fullPage?: boolean | undefined
  /** Gives a JPEG of this quality instead of a PNG. */
  readonly quality?: number | undefined
  readonly viewport?: Viewport | undefined
}

/** The size of the window a page is looked at through. */
export interface Viewport {
  /** The width of the window. */
  readonly width: number
  /** The height of the window. */
  readonly height: number
}

/** The extracted data; it fits the schema when one was given. */
export interface JsonFormat {
  readonly type: 'json'
  /** JSON Schema that the data must fit; in a program also a zod schema, which parses it. */
  readonly schema?:
    | {
        readonly [key: string]: unknown
      }
    | undefined
  /** What is wanted, in plain words. Needed when there is no schema. */
  readonly prompt?: string | undefined
  /** How the model is told to work, beside our words. */
  readonly systemPrompt?: string | undefined
}

/** What the page says, in a paragraph. */
export interface SummaryFormat {
  readonly type: 'summary'
}

/** The answer, from the page alone. */
export interface QuestionFormat {
  readonly type: 'question'
  /** What you want to know of the page. */
  readonly question: string
}

/** The answer, from the page alone. */
export interface QueryFormat {
  readonly type: 'query'
  /** What you want to know of the page. */
  readonly prompt: string
  /** An answer in the words of the model, or passages of the page, word for word. Default: `"freeform"`. */
  readonly mode?: 'freeform' | 'directQuote' | undefined
}

/** Passages of the page, word for word, in its order. */
export interface HighlightsFormat {
  readonly type: 'highlights'
  /** What the passages are about. */
  readonly query: string
}

/** How the page stands to what it was when it was last looked at. */
export interface ChangeTrackingFormat {
  readonly type: 'changeTracking'
  /** How changes are shown: as a diff of the text, or by the fields of a schema. Default: `[]`. */
  readonly modes?: readonly ('git-diff' | 'json')[] | undefined
  /** The fields that are compared. */
  readonly schema?:
    | {
        readonly [key: string]: unknown
      }
    | undefined
  /** What to look for. */
  readonly prompt?: string | undefined
  /** A page is compared with what it was under the same tag. Default: `null`. */
  readonly tag?: string | null | undefined
  /** What is not compared, such as the date of today. Default: `{"selectors":[],"patterns":[]}`. */
  readonly ignore?:
    | {
        /** Elements whose words are not compared. Default: `[]`. */
        readonly selectors?: readonly string[] | undefined
        /** Lines that a pattern finds are not compared. Default: `[]`. */
        readonly patterns?: readonly string[] | undefined
      }
    | undefined
}

/** Waits for a time, or for an element: give one of them. */
export interface WaitAction {
  readonly type: 'wait'
  /** How long to wait. */
  readonly milliseconds?: number | undefined
  /** Waits until an element matches. Counts as 1 s of the waits. */
  readonly selector?: string | undefined
}

/** Clicks an element. */
export interface ClickAction {
  readonly type: 'click'
  /** A CSS selector. */
  readonly selector: string
  /** Clicks every element that matches, and not the first alone. Default: `false`. */
  readonly all?: boolean | undefined
}

/** Types into the element that has the focus: click it first. */
export interface WriteAction {
  readonly type: 'write'
  /** What is typed. */
  readonly text: string
}

/** Presses a key. */
export interface PressAction {
  readonly type: 'press'
  /** The name of the key, such as Enter or ArrowDown. */
  readonly key: string
}

/** Scrolls the page, or an element. */
export interface ScrollAction {
  readonly type: 'scroll'
  /** Where the page is scrolled to. Default: `"down"`. */
  readonly direction?: 'up' | 'down' | undefined
  /** The element that is scrolled; the page when absent. */
  readonly selector?: string | undefined
}

/** Takes a picture at that moment, and gives its address in `actions.screenshots`. */
export interface ScreenshotAction {
  readonly type: 'screenshot'
  /** Shows all of the page, and not only the window. Default: `false`. */
  readonly fullPage?: boolean | undefined
  /** Gives a JPEG of this quality instead of a PNG. */
  readonly quality?: number | undefined
  readonly viewport?: Viewport | undefined
}

/** Gives the page as it is at that moment, in `actions.scrapes`. */
export interface ScrapeAction {
  readonly type: 'scrape'
}

/** Runs a script in the page, and gives its value in `actions.javascriptReturns`. */
export interface ExecuteJavascriptAction {
  readonly type: 'executeJavascript'
  /** The value of its last expression is given. */
  readonly script: string
}

/** Prints the page, and gives the address of the PDF in `actions.pdfs`. */
export interface PdfAction {
  readonly type: 'pdf'
  /** The size of the paper. Default: `"Letter"`. */
  readonly format?:
    | 'A0'
    | 'A1'
    | 'A2'
    | 'A3'
    | 'A4'
    | 'A5'
    | 'A6'
    | 'Letter'
    | 'Legal'
    | 'Tabloid'
    | 'Ledger'
    | undefined
  /** Lays the paper on its side. Default: `false`. */
  readonly landscape?: boolean | undefined
  /** How large things are drawn; 1 is as they are. Default: `1`. */
  readonly scale?: number | undefined
}

export interface Webhook {
  /** Where the messages are sent. */
  readonly url: string
  /** Headers that are sent with each message. */
  readonly headers?: Headers | undefined
  /** Texts of yours that stand in each message. Default: `{}`. */
  readonly metadata?:
    | {
        readonly [key: string]: string
      }
    | undefined
  /** What is told. */
  readonly events?:
    | readonly ('started' | 'page' | 'action' | 'completed' | 'failed' | 'cancelled' | (string & {}))[]
    | undefined
}

/** A format in a request: its name, or an object with its options. */
export type FormatEntry =
  | 'markdown'
  | 'html'
  | 'rawHtml'
  | 'links'
  | 'images'
  | 'metadata'
  | 'attributes'
  | 'screenshot'
  | 'screenshot@fullPage'
  | 'json'
  | 'summary'
  | 'question'
  | 'query'
  | 'highlights'
  | 'changeTracking'
  | MarkdownFormat
  | HtmlFormat
  | RawHtmlFormat
  | LinksFormat
  | ImagesFormat
  | MetadataFormat
  | AttributesFormat
  | ScreenshotFormat
  | JsonFormat
  | SummaryFormat
  | QuestionFormat
  | QueryFormat
  | HighlightsFormat
  | ChangeTrackingFormat

/** An action in a request. */
export type ActionEntry =
  | WaitAction
  | ClickAction
  | WriteAction
  | PressAction
  | ScrollAction
  | ScreenshotAction
  | ScrapeAction
  | ExecuteJavascriptAction
  | PdfAction

/** What is asked of each page: the options of a scrape without its address. */
export interface ScrapeOptions {
  /** Leaves out what stands around the content: menus, sidebars, footers, notices. Default: `true`. */
  readonly onlyMainContent?: boolean | undefined
  /** CSS selectors of the parts that are kept. All others are left out. Default: `[]`. */
  readonly includeTags?: readonly string[] | undefined
  /** CSS selectors of parts that are left out, or `*text*` for elements with it in a name or attribute. Default: `[]`. */
  readonly excludeTags?: readonly string[] | undefined
  /** A kept copy of the page that is younger will do. 0 always loads the page. Default: `0`. */
  readonly maxAge?: number | undefined
  /** Takes only a kept copy that is at least this old, and loads nothing. Without one the request fails. */
  readonly minAge?: number | undefined
  readonly headers?: Headers | undefined
  /** Waits after the page is loaded, before it is read. At most half of `timeout`. Default: `0`. */
  readonly waitFor?: number | undefined
  /** Loads the page as a phone does. Default: `false`. */
  readonly mobile?: boolean | undefined
  /** Also takes certificates that are expired, of another name, or signed by an unknown authority. Default: `false`. */
  readonly skipTlsVerification?: boolean | undefined
  /** How long the whole request may take, waits and actions included. Default: `30000`. */
  readonly timeout?: number | undefined
  /** An older word for `parsers`: false is the empty list. */
  readonly parsePDF?: boolean | undefined
  /** Files that are read as text. Without `pdf` in the list, a PDF is given as it is, in base64. */
  readonly parsers?: readonly ('pdf' | PdfParser)[] | undefined
  readonly location?: Location | undefined
  /** Leaves pictures out of the Markdown that stand in the page itself, as base64; their text stays. Default: `true`. */
  readonly removeBase64Images?: boolean | undefined
  /** The browser loads no advertising and no trackers. Default: `true`. */
  readonly blockAds?: boolean | undefined
  /** Which proxies are gone through: `basic`, `enhanced` (5 credits), or `auto`: enhanced when a host refuses. `stealth` is an older word for enhanced. */
  readonly proxy?: 'basic' | 'enhanced' | 'stealth' | 'auto' | undefined
  /** Keeps the page for later requests that take a copy. Default: `true`. */
  readonly storeInCache?: boolean | undefined
  /** Nothing of the page or the result is kept once you have it. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** An older place for the options of the format json. */
  readonly jsonOptions?:
    | {
        /** JSON Schema that the data must fit; in a program also a zod schema, which parses it. */
        readonly schema?:
          | {
              readonly [key: string]: unknown
            }
          | undefined
        /** What is wanted, in plain words. Needed when there is no schema. */
        readonly prompt?: string | undefined
        /** How the model is told to work, beside our words. */
        readonly systemPrompt?: string | undefined
      }
    | undefined
  /** An older place for the options of the format changeTracking. */
  readonly changeTrackingOptions?:
    | {
        /** How changes are shown: as a diff of the text, or by the fields of a schema. Default: `[]`. */
        readonly modes?: readonly ('git-diff' | 'json')[] | undefined
        /** The fields that are compared. */
        readonly schema?:
          | {
              readonly [key: string]: unknown
            }
          | undefined
        /** What to look for. */
        readonly prompt?: string | undefined
        /** A page is compared with what it was under the same tag. Default: `null`. */
        readonly tag?: string | null | undefined
        /** What is not compared, such as the date of today. Default: `{"selectors":[],"patterns":[]}`. */
        readonly ignore?:
          | {
              /** Elements whose words are not compared. Default: `[]`. */
              readonly selectors?: readonly string[] | undefined
              /** Lines that a pattern finds are not compared. Default: `[]`. */
              readonly patterns?: readonly string[] | undefined
            }
          | undefined
      }
    | undefined
  /** What the document has: names, or objects with a name as `type` and options. Each format once. */
  readonly formats?: readonly FormatEntry[] | undefined
  /** What is done on the page before it is read, in this order. All waits together, with `waitFor`: 60 s. Default: `[]`. */
  readonly actions?: readonly ActionEntry[] | undefined
}

/** What can be asked of a file, and said of it. */
export interface ParseOptions {
  /** The name of the file. Its end tells the type where the bytes do not. */
  readonly name?: string | undefined
  /** The media type of the file, where it is known. What the bytes say goes first. */
  readonly contentType?: string | undefined
  /** Where the file is from: its links are taken from there. Nothing is loaded. */
  readonly url?: string | undefined
  /** Leaves out what stands around the content: menus, sidebars, footers, notices. Default: `true`. */
  readonly onlyMainContent?: boolean | undefined
  /** CSS selectors of the parts that are kept. All others are left out. Default: `[]`. */
  readonly includeTags?: readonly string[] | undefined
  /** CSS selectors of parts that are left out, or `*text*` for elements with it in a name or attribute. Default: `[]`. */
  readonly excludeTags?: readonly string[] | undefined
  /** How long the whole request may take, waits and actions included. Default: `30000`. */
  readonly timeout?: number | undefined
  /** Files that are read as text. Without `pdf` in the list, a PDF is given as it is, in base64. */
  readonly parsers?: readonly ('pdf' | PdfParser)[] | undefined
  /** Leaves pictures out of the Markdown that stand in the page itself, as base64; their text stays. Default: `true`. */
  readonly removeBase64Images?: boolean | undefined
  /** Nothing of the page or the result is kept once you have it. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** What the document has: names, or objects with a name as `type` and options. Each format once. */
  readonly formats?:
    | readonly (
        | 'markdown'
        | 'html'
        | 'rawHtml'
        | 'links'
        | 'images'
        | 'metadata'
        | 'attributes'
        | 'json'
        | 'summary'
        | 'question'
        | 'query'
        | 'highlights'
        | MarkdownFormat
        | HtmlFormat
        | RawHtmlFormat
        | LinksFormat
        | ImagesFormat
        | MetadataFormat
        | AttributesFormat
        | JsonFormat
        | SummaryFormat
        | QuestionFormat
        | QueryFormat
        | HighlightsFormat
      )[]
    | undefined
}

/** What a crawl can be asked for. */
export interface CrawlRequest {
  /** Where the crawl starts. */
  readonly url: string
  /** Regular expressions (RE2). Only pages whose path matches one of them are visited. Default: `[]`. */
  readonly includePaths?: readonly string[] | undefined
  /** Regular expressions (RE2). Pages whose path matches one of them are left out. Default: `[]`. */
  readonly excludePaths?: readonly string[] | undefined
  /** The expressions are held against the whole address and not against the path alone. Default: `false`. */
  readonly regexOnFullURL?: boolean | undefined
  /** The most hops from the start, which is at 0, and so are the addresses of sitemaps. */
  readonly maxDiscoveryDepth?: number | undefined
  /** The most segments that a path may have beyond those of the start. */
  readonly maxPathDepth?: number | undefined
  /** Whether sitemaps are left out (skip), used together with links (include), or used alone (only). Default: `"include"`. */
  readonly sitemap?: 'skip' | 'include' | 'only' | undefined
  /** Addresses that differ only in their query are one page. Default: `false`. */
  readonly ignoreQueryParameters?: boolean | undefined
  /** Addresses that nearly always show the same page are visited once: with www or without, with index.html or without. Default: `true`. */
  readonly deduplicateSimilarURLs?: boolean | undefined
  /** The most pages that are visited. Default: `10000`. */
  readonly limit?: number | undefined
  /** Also pages that are not below the path of the start. Default: `false`. */
  readonly crawlEntireDomain?: boolean | undefined
  /** Also follows links to other sites. Default: `false`. */
  readonly allowExternalLinks?: boolean | undefined
  /** Also follows links to subdomains of the start. Default: `false`. */
  readonly allowSubdomains?: boolean | undefined
  /** Visits pages that robots.txt keeps crawlers from, and does not wait as long as it asks. Default: `false`. */
  readonly ignoreRobotsTxt?: boolean | undefined
  /** The crawler whose rules in robots.txt are followed; that of the engine when absent. */
  readonly robotsUserAgent?: string | undefined
  /** How long a host is left alone between two pages. */
  readonly delay?: number | undefined
  /** The most pages that this job loads at once; the limit of your team when absent. */
  readonly maxConcurrency?: number | undefined
  /** The job ends before it would cost more. */
  readonly maxCredits?: number | undefined
  /** Where the job tells of itself: an address, or an object with more. */
  readonly webhook?: string | Webhook | undefined
  /** Nothing of the pages is kept once the job has ended and you have them. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** What the crawl is for: a language model makes options of it, and those that are given win. */
  readonly prompt?: string | undefined
  /** What is asked of each page: the options of a scrape without its address. Default: `{}`. */
  readonly scrapeOptions?: ScrapeOptions | undefined
}

/** What a batch can be asked for: many addresses with the same options. */
export interface BatchRequest extends ScrapeOptions {
  /** The pages that are loaded. */
  readonly urls: readonly string[]
  /** Where the job tells of itself: an address, or an object with more. */
  readonly webhook?: string | Webhook | undefined
  /** The id of a batch that the addresses are added to. Its own options hold for them. */
  readonly appendToId?: string | undefined
  /** Leaves out entries that are no addresses, and names them in `invalidURLs`. Otherwise one of them refuses the batch. Default: `false`. */
  readonly ignoreInvalidURLs?: boolean | undefined
  /** The most pages that this job loads at once; the limit of your team when absent. */
  readonly maxConcurrency?: number | undefined
  /** The job ends before it would cost more. */
  readonly maxCredits?: number | undefined
}

/** What a map can be asked for. */
export interface MapRequest {
  /** A page of the site. */
  readonly url: string
  /** Orders the links by how well they fit these words. */
  readonly search?: string | undefined
  /** Whether sitemaps are left out (skip), used together with links (include), or used alone (only). Default: `"include"`. */
  readonly sitemap?: 'skip' | 'include' | 'only' | undefined
  /** Also links of other hosts of the same registrable domain. Default: `true`. */
  readonly includeSubdomains?: boolean | undefined
  /** Cuts the query off, so that no link has one. Default: `true`. */
  readonly ignoreQueryParameters?: boolean | undefined
  /** Reads sitemaps anew, which are otherwise kept for seven days. Default: `false`. */
  readonly ignoreCache?: boolean | undefined
  /** The most links that are given. Default: `5000`. */
  readonly limit?: number | undefined
  /** How long the map may take; without it, as long as it does. */
  readonly timeout?: number | undefined
  readonly location?: Location | undefined
  readonly headers?: Headers | undefined
  /** When the address has a path: only links whose path begins with it. Default: `true`. */
  readonly filterByPath?: boolean | undefined
}

/** What a search can be asked for. */
export interface SearchRequest {
  /** The words that are looked for. */
  readonly query: string
  /** The most results of each source. Default: `10`. */
  readonly limit?: number | undefined
  /** What is looked for: names, or objects with a name as `type` and options of their own. */
  readonly sources?:
    | readonly (
        | 'alexandria'
        | {
            readonly type: 'alexandria'
          }
        | 'web'
        | 'news'
        | 'images'
        | {
            readonly type: 'web' | 'news' | 'images'
            /** When the page was written: `qdr:h`, `d`, `w`, `m` or `y` for the last hour to year, or `cdr:1,cd_min:1/31/2026,cd_max:2/28/2026`; `sbd:1` puts the newest first. */
            readonly tbs?: string | undefined
            /** Where the search is made from, in two letters. */
            readonly country?: string | undefined
            /** The language of the pages. */
            readonly lang?: string | undefined
            /** A place in words, such as `Berlin, Germany`. */
            readonly location?: string | undefined
            /** Taken from clients of the public API; it has no effect here. */
            readonly filter?: string | undefined
          }
      )[]
    | undefined
  /** Only results of these kinds. */
  readonly categories?:
    | readonly (
        | 'github'
        | 'research'
        | 'pdf'
        | 'developer'
        | {
            readonly type: 'github' | 'research' | 'pdf' | 'developer'
          }
      )[]
    | undefined
  /** And what is below them. */
  readonly includeDomains?: readonly string[] | undefined
  /** And what is below them. */
  readonly excludeDomains?: readonly string[] | undefined
  /** When the page was written: `qdr:h`, `d`, `w`, `m` or `y` for the last hour to year, or `cdr:1,cd_min:1/31/2026,cd_max:2/28/2026`; `sbd:1` puts the newest first. */
  readonly tbs?: string | undefined
  /** The language of the pages. */
  readonly lang?: string | undefined
  /** Where the search is made from, in two letters. */
  readonly country?: string | undefined
  /** A place in words, such as `Berlin, Germany`. */
  readonly location?: string | undefined
  /** Leaves out what is not for children. */
  readonly safe?: boolean | 'on' | 'off' | 'active' | 'strict' | 'moderate' | undefined
  /** Leaves out results whose page this engine does not visit. Default: `false`. */
  readonly ignoreInvalidURLs?: boolean | undefined
  /** How long the whole search may take, with its pages. Default: `60000`. */
  readonly timeout?: number | undefined
  /** Answers before the pages are scraped. `scrapeIds` says under which ids they are found. Default: `false`. */
  readonly asyncScraping?: boolean | undefined
  /** With `zdr` or `anon`, nothing of the search and its pages is kept. Default: `[]`. */
  readonly enterprise?: readonly ('default' | 'anon' | 'zdr')[] | undefined
}

/** A page, in the formats that were asked for. */
export interface Document {
  /** The content of the page as GitHub-flavoured Markdown. */
  readonly markdown?: string
  /** The content of the page as clean HTML. */
  readonly html?: string
  /** The page as it was received, decoded. */
  readonly rawHtml?: string
  /** Where the content links to: absolute, each once, in the order of the page. */
  readonly links?: readonly string[]
  /** The addresses of the images: absolute, each once. */
  readonly images?: readonly string[]
  /** What the page says about itself, and how it was loaded. */
  readonly metadata: {
    readonly title?: string
    readonly description?: string
    readonly language?: string
    readonly keywords?: string | readonly string[]
    readonly sourceURL: string
    readonly url: string
    readonly statusCode: number
    readonly error?: string
    readonly contentType?: string
    readonly scrapeId: string
    readonly proxyUsed: 'basic' | 'stealth'
    readonly cacheState?: 'hit' | 'miss'
    readonly cachedAt?: string
    readonly creditsUsed: number
    readonly [key: string]: unknown
  }
  /** Attributes of elements, as they stand in the page. */
  readonly attributes?: readonly {
    readonly selector: string
    readonly attribute: string
    readonly values: readonly string[]
  }[]
  /** A picture of the page: its address. */
  readonly screenshot?: string
  /** The extracted data; it fits the schema when one was given. */
  readonly json?: unknown
  /** What the page says, in a paragraph. */
  readonly summary?: string
  /** The answer, from the page alone. */
  readonly answer?: string
  /** Passages of the page, word for word, in its order. */
  readonly highlights?: readonly string[]
  /** How the page stands to what it was when it was last looked at. */
  readonly changeTracking?: {
    readonly previousScrapeAt: unknown
    readonly changeStatus: 'new' | 'same' | 'changed' | 'removed'
    readonly visibility: 'visible' | 'hidden'
    readonly diff?: {
      readonly text: string
      readonly json: {
        readonly files: readonly unknown[]
      }
    }
    readonly json?: {
      readonly [key: string]: {
        readonly previous: unknown
        readonly current: unknown
      }
    }
  }
  readonly actions?: {
    readonly screenshots?: readonly string[]
    readonly scrapes?: readonly {
      readonly url: string
      readonly html: string
    }[]
    readonly javascriptReturns?: readonly {
      readonly type: string
      readonly value: unknown
    }[]
    readonly pdfs?: readonly string[]
  }
  readonly warning?: string
  /** What was decided on the way, and why. Only for who asked. */
  readonly explain?: {
    readonly steps: readonly {
      readonly step: string
      readonly outcome: string
      readonly reason?: string
      readonly loader?: string
      readonly ms?: number
      readonly at: number
    }[]
    readonly blocks?: readonly {
      readonly text: string
      readonly kept: boolean
      readonly score: number
      readonly reasons: readonly {
        readonly feature: string
        readonly value: number
        readonly push: number
      }[]
    }[]
    /** How values of formats came about, by format. */
    readonly formats?: {
      readonly [key: string]: unknown
    }
  }
}
