// Written by scripts/client-types.ts from the schemas of the engine. Change those, and run it.

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
  | {
      readonly type: 'markdown'
    }
  | {
      readonly type: 'html'
    }
  | {
      readonly type: 'rawHtml'
    }
  | {
      readonly type: 'links'
    }
  | {
      readonly type: 'images'
    }
  | {
      readonly type: 'metadata'
    }
  | {
      readonly type: 'attributes'
      readonly selectors: readonly {
        /** A CSS selector. */
        readonly selector: string
        /** The name of the attribute to read. */
        readonly attribute: string
      }[]
    }
  | {
      readonly type: 'screenshot'
      /** Default: `false`. */
      readonly fullPage?: boolean | undefined
      readonly quality?: number | undefined
      readonly viewport?:
        | {
            readonly width: number
            readonly height: number
          }
        | undefined
    }
  | {
      readonly type: 'json'
      readonly schema?:
        | {
            readonly [key: string]: unknown
          }
        | undefined
      readonly prompt?: string | undefined
      readonly systemPrompt?: string | undefined
    }
  | {
      readonly type: 'summary'
    }
  | {
      readonly type: 'question'
      readonly question: string
    }
  | {
      readonly type: 'query'
      readonly prompt: string
      /** Default: `"freeform"`. */
      readonly mode?: 'freeform' | 'directQuote' | undefined
    }
  | {
      readonly type: 'highlights'
      readonly query: string
    }
  | {
      readonly type: 'changeTracking'
      /** Default: `[]`. */
      readonly modes?: readonly ('git-diff' | 'json')[] | undefined
      readonly schema?:
        | {
            readonly [key: string]: unknown
          }
        | undefined
      readonly prompt?: string | undefined
      /** Default: `null`. */
      readonly tag?: string | null | undefined
      /** Default: `{"selectors":[],"patterns":[]}`. */
      readonly ignore?:
        | {
            /** Elements whose words are not compared. Default: `[]`. */
            readonly selectors?: readonly string[] | undefined
            /** Lines that a pattern finds are not compared. Default: `[]`. */
            readonly patterns?: readonly string[] | undefined
          }
        | undefined
    }

export type ActionEntry =
  | {
      readonly type: 'wait'
      readonly milliseconds?: number | undefined
      readonly selector?: string | undefined
    }
  | {
      readonly type: 'click'
      readonly selector: string
      /** Default: `false`. */
      readonly all?: boolean | undefined
    }
  | {
      readonly type: 'write'
      readonly text: string
    }
  | {
      readonly type: 'press'
      readonly key: string
    }
  | {
      readonly type: 'scroll'
      /** Default: `"down"`. */
      readonly direction?: 'up' | 'down' | undefined
      readonly selector?: string | undefined
    }
  | {
      readonly type: 'screenshot'
      /** Default: `false`. */
      readonly fullPage?: boolean | undefined
      readonly quality?: number | undefined
      readonly viewport?:
        | {
            readonly width: number
            readonly height: number
          }
        | undefined
    }
  | {
      readonly type: 'scrape'
    }
  | {
      readonly type: 'executeJavascript'
      readonly script: string
    }
  | {
      readonly type: 'pdf'
      /** Default: `"Letter"`. */
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
      /** Default: `false`. */
      readonly landscape?: boolean | undefined
      /** Default: `1`. */
      readonly scale?: number | undefined
    }

export interface Location {
  readonly country?: string | undefined
  /** Default: `[]`. */
  readonly languages?: readonly string[] | undefined
}

export type Webhook =
  | string
  | {
      readonly url: string
      readonly headers?:
        | {
            readonly [key: string]: string
          }
        | undefined
      /** Default: `{}`. */
      readonly metadata?:
        | {
            readonly [key: string]: string
          }
        | undefined
      readonly events?:
        | readonly (
            | 'started'
            | 'page'
            | 'completed'
            | 'failed'
            | 'cancelled'
            | 'crawl.started'
            | 'crawl.page'
            | 'crawl.completed'
            | 'crawl.failed'
            | 'crawl.cancelled'
            | 'batch_scrape.started'
            | 'batch_scrape.page'
            | 'batch_scrape.completed'
            | 'batch_scrape.failed'
            | 'batch_scrape.cancelled'
          )[]
        | undefined
    }

export interface ScrapeOptions {
  /** Default: `true`. */
  readonly onlyMainContent?: boolean | undefined
  /** Default: `[]`. */
  readonly includeTags?: readonly string[] | undefined
  /** Default: `[]`. */
  readonly excludeTags?: readonly string[] | undefined
  /** Default: `0`. */
  readonly maxAge?: number | undefined
  readonly minAge?: number | undefined
  readonly headers?:
    | {
        readonly [key: string]: string
      }
    | undefined
  /** Default: `0`. */
  readonly waitFor?: number | undefined
  /** Default: `false`. */
  readonly mobile?: boolean | undefined
  /** Default: `false`. */
  readonly skipTlsVerification?: boolean | undefined
  /** Default: `30000`. */
  readonly timeout?: number | undefined
  readonly parsePDF?: boolean | undefined
  readonly parsers?:
    | readonly (
        | 'pdf'
        | {
            readonly type: 'pdf'
            /** Default: `"auto"`. */
            readonly mode?: 'fast' | 'auto' | 'ocr' | undefined
            readonly maxPages?: number | undefined
          }
      )[]
    | undefined
  readonly location?: Location | undefined
  /** Default: `true`. */
  readonly removeBase64Images?: boolean | undefined
  /** Default: `true`. */
  readonly blockAds?: boolean | undefined
  readonly proxy?: 'basic' | 'enhanced' | 'stealth' | 'auto' | undefined
  /** Default: `true`. */
  readonly storeInCache?: boolean | undefined
  /** Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  readonly jsonOptions?:
    | {
        readonly schema?:
          | {
              readonly [key: string]: unknown
            }
          | undefined
        readonly prompt?: string | undefined
        readonly systemPrompt?: string | undefined
      }
    | undefined
  readonly changeTrackingOptions?:
    | {
        /** Default: `[]`. */
        readonly modes?: readonly ('git-diff' | 'json')[] | undefined
        readonly schema?:
          | {
              readonly [key: string]: unknown
            }
          | undefined
        readonly prompt?: string | undefined
        /** Default: `null`. */
        readonly tag?: string | null | undefined
        /** Default: `{"selectors":[],"patterns":[]}`. */
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
  readonly formats?: readonly FormatEntry[] | undefined
  /** Default: `[]`. */
  readonly actions?: readonly ActionEntry[] | undefined
}

/** What a crawl can be asked for. */
export interface CrawlRequest {
  readonly url: string
  /** Default: `[]`. */
  readonly includePaths?: readonly string[] | undefined
  /** Default: `[]`. */
  readonly excludePaths?: readonly string[] | undefined
  /** Default: `false`. */
  readonly regexOnFullURL?: boolean | undefined
  readonly maxDiscoveryDepth?: number | undefined
  readonly maxPathDepth?: number | undefined
  /** Default: `"include"`. */
  readonly sitemap?: 'skip' | 'include' | 'only' | undefined
  /** Default: `false`. */
  readonly ignoreQueryParameters?: boolean | undefined
  /** Default: `true`. */
  readonly deduplicateSimilarURLs?: boolean | undefined
  /** Default: `10000`. */
  readonly limit?: number | undefined
  /** Default: `false`. */
  readonly crawlEntireDomain?: boolean | undefined
  /** Default: `false`. */
  readonly allowExternalLinks?: boolean | undefined
  /** Default: `false`. */
  readonly allowSubdomains?: boolean | undefined
  /** Default: `false`. */
  readonly ignoreRobotsTxt?: boolean | undefined
  readonly robotsUserAgent?: string | undefined
  readonly delay?: number | undefined
  readonly maxConcurrency?: number | undefined
  readonly maxCredits?: number | undefined
  readonly webhook?: Webhook | undefined
  /** Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** Default: `{}`. */
  readonly scrapeOptions?: ScrapeOptions | undefined
}

/** What a batch can be asked for: many addresses with the same options. */
export interface BatchRequest extends ScrapeOptions {
  readonly urls: readonly string[]
  readonly webhook?: Webhook | undefined
  readonly appendToId?: string | undefined
  /** Default: `false`. */
  readonly ignoreInvalidURLs?: boolean | undefined
  readonly maxConcurrency?: number | undefined
  readonly maxCredits?: number | undefined
}

/** What a map can be asked for. */
export interface MapRequest {
  readonly url: string
  /** Orders the links by how well they fit these words. */
  readonly search?: string | undefined
  /** Whether sitemaps are left out, used together with the links of pages, or used alone. Default: `"include"`. */
  readonly sitemap?: 'skip' | 'include' | 'only' | undefined
  /** Also links of other hosts of the same registrable domain. Default: `true`. */
  readonly includeSubdomains?: boolean | undefined
  /** Cuts the query off, so that no link has one. Default: `true`. */
  readonly ignoreQueryParameters?: boolean | undefined
  /** Reads sitemaps anew, which are otherwise kept for seven days. Default: `false`. */
  readonly ignoreCache?: boolean | undefined
  /** The most links that are given. Default: `5000`. */
  readonly limit?: number | undefined
  /** Milliseconds; without it there is no end but the bounds. */
  readonly timeout?: number | undefined
  readonly location?: Location | undefined
  /** Sent to the host of the URL. */
  readonly headers?:
    | {
        readonly [key: string]: string
      }
    | undefined
  /** When the URL has a path: only links whose path begins with it. Default: `true`. */
  readonly filterByPath?: boolean | undefined
  readonly useIndex?: boolean | undefined
  readonly allowExternalLinks?: boolean | undefined
  readonly allowSubdomains?: boolean | undefined
  readonly includePaths?: readonly string[] | undefined
  readonly excludePaths?: readonly string[] | undefined
  readonly regexOnFullURL?: boolean | undefined
  readonly crawlEntireDomain?: boolean | undefined
  readonly deduplicateSimilarURLs?: boolean | undefined
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
  readonly attributes?: readonly {
    readonly selector: string
    readonly attribute: string
    readonly values: readonly string[]
  }[]
  /** The address of the picture. */
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
