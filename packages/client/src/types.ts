// Written by scripts/client-types.ts from the schemas of the engine. Change those, and run it.

/** Headers sent to the host of the URL, and to no other host. */
export type Headers = {
  readonly [key: string]: string
}

export interface PdfParser {
  readonly type: 'pdf'
  /** How to find text: `fast` reads the text in the file, `ocr` recognizes that in pictures of its pages, `auto` does so only for pages without usable text. Default: `"auto"`. */
  readonly mode?: 'fast' | 'auto' | 'ocr' | undefined
  /** Maximum number of pages to read, from the first one. */
  readonly maxPages?: number | undefined
  /** Returns the Markdown of each page as `pages`. */
  readonly pages?: boolean | undefined
  /** The former name of `pages`. */
  readonly pageMarkdown?: boolean | undefined
  /** Puts a rule and a comment with the page number between the pages of the Markdown. */
  readonly pageMarkers?: boolean | undefined
  /** Returns the parts of each page as `blocks`: headings, paragraphs and tables, with their position. */
  readonly blocks?: boolean | undefined
  /** Returns a picture of each page as `pageImages`, at most 50. */
  readonly pageImages?: boolean | undefined
  /** Returns `blocks`, in which each figure has the URL of its picture, a PNG or JPEG file, as `image`. */
  readonly figures?: boolean | undefined
}

export interface ImageParser {
  readonly type: 'image'
  /** Returns the parts of each page as `blocks`: headings, paragraphs and tables, with their position. */
  readonly blocks?: boolean | undefined
  /** Returns a picture of each page as `pageImages`, at most 50. */
  readonly pageImages?: boolean | undefined
}

/** Where the request appears to come from: the country of the proxy, and the preferred languages. */
export interface Location {
  /** A two-letter country code (ISO 3166-1), such as US or DE. */
  readonly country?: string | undefined
  /** Language tags (BCP 47), preferred first. Default: the languages of the country. Default: `[]`. */
  readonly languages?: readonly string[] | undefined
}

/** Starts with the saved cookies and storage of an earlier browser. Turns off the cache. */
export interface BrowserProfile {
  /** The name of the profile, within the team. */
  readonly name: string
  /** Saves the changed cookies and storage after a scrape, and when a live browser ends. Default: `true`. */
  readonly saveChanges?: boolean | undefined
  readonly loggedInMarker?: LoggedInMarker | undefined
}

/** What only visitors who are logged in see. A page without it fails with `logged_out`. Saved with the profile. */
export interface LoggedInMarker {
  /** A CSS selector of an element that only visitors who are logged in see. */
  readonly selector?: string | undefined
  /** Text that only visitors who are logged in see. Upper and lower case are equal. */
  readonly text?: string | undefined
}

/** If a page needs a person, for example because the login of its `profile` has expired, the pages of its host wait until a person has opened a link and is done. Requires `profile`. */
export interface Person {
  /** Seconds that the pages wait for the person. Then they fail. Default: `3600`. */
  readonly timeout?: number | undefined
  /** The URL that receives the link for the person. Default: the webhook of the server. */
  readonly webhook?: string | undefined
}

export interface RedactPII {
  /** `aggressive` also redacts numbers that only look like phone or identity numbers. Default: `"accurate"`. */
  readonly mode?: 'accurate' | 'aggressive' | 'fast' | undefined
  /** What to redact: `EMAIL`, `PHONE`, `FINANCIAL`, `SECRET`. */
  readonly entities?: readonly ('PERSON' | 'EMAIL' | 'PHONE' | 'LOCATION' | 'FINANCIAL' | 'SECRET')[] | undefined
  /** `tag` inserts a tag such as `<EMAIL>`, `mask` one `*` per character, and `remove` nothing. Default: `"tag"`. */
  readonly replaceStyle?: 'tag' | 'mask' | 'remove' | undefined
}

export interface ThreatProtection {
  /** `manual-only` applies the lists, `off` does not. `normal` and `zscaler` are not available. Default: `"manual-only"`. */
  readonly mode?: 'off' | 'manual-only' | 'normal' | 'zscaler' | undefined
  /** Hosts that are not visited, with their subdomains. `*.host` means only the subdomains. */
  readonly blacklist?: readonly string[] | undefined
  /** Hosts that are visited although another list blocks them. */
  readonly whitelist?: readonly string[] | undefined
  /** Top-level domains that are not visited, such as zip. */
  readonly blockedTlds?: readonly string[] | undefined
  /** Accepted for compatibility. The lists have no scores. */
  readonly riskScoreThreshold?: number | undefined
  /** Accepted for compatibility. Lists cannot fail. */
  readonly failurePolicy?: 'open' | 'closed' | undefined
}

/** The extracted data. It matches the schema, if there is one. */
export interface JsonFormat {
  readonly type: 'json'
  /** JSON Schema of the data. In code, also a zod schema, which parses the data. */
  readonly schema?:
    | {
        readonly [key: string]: unknown
      }
    | undefined
  /** What to extract, in plain language. Required without a schema. */
  readonly prompt?: string | undefined
  /** Further instructions for the model. */
  readonly systemPrompt?: string | undefined
  /** Returns `claims`: the passages of the page that the result is based on. */
  readonly citations?: boolean | undefined
  /** Maximum tokens of the page that the model reads, estimated: the parts that match best. `omitted` of the document lists the others. */
  readonly maxTokens?: number | undefined
  /** Properties of the document that contain the data. Version 1 of the API also uses `extract`. */
  readonly as?: readonly ('json' | 'extract')[] | undefined
}

/** The extracted data. It matches the schema, if there is one. */
export interface DeterministicJsonFormat {
  readonly type: 'deterministicJson'
  /** JSON Schema of the data. In code, also a zod schema, which parses the data. */
  readonly schema?:
    | {
        readonly [key: string]: unknown
      }
    | undefined
  /** What to extract, in plain language. Required without a schema. */
  readonly prompt?: string | undefined
  /** Further instructions for the model. */
  readonly systemPrompt?: string | undefined
  /** Returns `claims`: the passages of the page that the result is based on. */
  readonly citations?: boolean | undefined
  /** Maximum tokens of the page that the model reads, estimated: the parts that match best. `omitted` of the document lists the others. */
  readonly maxTokens?: number | undefined
  /** Properties of the document that contain the data. Version 1 of the API also uses `extract`. */
  readonly as?: readonly ('json' | 'extract')[] | undefined
}

export interface LessonFormat {
  readonly type: 'lesson'
  /** The JSON Schema of later requests for `json`. */
  readonly schema: {
    readonly [key: string]: unknown
  }
  /** The values of this page. They match the schema. */
  readonly answer: {
    readonly [key: string]: unknown
  }
  /** The prompt of later requests for `json`, if any. */
  readonly prompt?: string | undefined
}

export interface ItemsFormat {
  readonly type: 'items'
  /** Maximum number of rows. Default: `1000`. */
  readonly limit?: number | undefined
  /** Maximum number of pages of the list to read. Further pages are found by links, and each costs as much as a page. Default: `1`. */
  readonly pages?: number | undefined
}

export interface DatasetFormat {
  readonly type: 'dataset'
  /** The name of an existing dataset. */
  readonly name: string
  /** The format of the request that contains the rows, such as `items` or `json`. Default: `"items"`. */
  readonly from?: string | undefined
  /** The property of the field that contains the rows, such as `a.b`. Default: the field itself if it is an array, its only array, or the whole field as one row. */
  readonly path?: string | undefined
}

export interface ProductFormat {
  readonly type: 'product'
  /** Returns the source of each value on the page, and a confidence. Default: `false`. */
  readonly evidence?: boolean | undefined
}

export interface ArticleFormat {
  readonly type: 'article'
  /** Returns the source of each value on the page, and a confidence. Default: `false`. */
  readonly evidence?: boolean | undefined
}

export interface RecipeFormat {
  readonly type: 'recipe'
  /** Returns the source of each value on the page, and a confidence. Default: `false`. */
  readonly evidence?: boolean | undefined
}

export interface JobFormat {
  readonly type: 'job'
  /** Returns the source of each value on the page, and a confidence. Default: `false`. */
  readonly evidence?: boolean | undefined
}

export interface EventFormat {
  readonly type: 'event'
  /** Returns the source of each value on the page, and a confidence. Default: `false`. */
  readonly evidence?: boolean | undefined
}

export interface MenuFormat {
  readonly type: 'menu'
}

export interface OrganizationFormat {
  readonly type: 'organization'
  /** Returns the source of each value on the page, and a confidence. Default: `false`. */
  readonly evidence?: boolean | undefined
}

export interface ChunksFormat {
  readonly type: 'chunks'
  /** Maximum size of a chunk, without its overlap. Default: `500`. */
  readonly size?: number | undefined
  /** The unit of sizes. Tokens are estimated, rather too many than too few. Default: `"tokens"`. */
  readonly unit?: 'tokens' | 'characters' | undefined
  /** Maximum size of the end of a chunk that is repeated in the next one. At most half of `size`. Default: `0`. */
  readonly overlap?: number | undefined
  /** `heading` begins a chunk at every heading. `size` fills chunks, and prefers to cut at headings. Default: `"size"`. */
  readonly by?: 'size' | 'heading' | undefined
  /** Maximum size of all chunks together. Returns those that match `query` best, then the beginnings of sections, in page order. */
  readonly budget?: number | undefined
  /** Words of the passages to prefer. Requires `budget`. */
  readonly query?: string | undefined
}

/** The chunks of the page that were added, changed and removed since its last visit. */
export interface ChunkChangesFormat {
  readonly type: 'chunkChanges'
  /** Maximum size of a chunk, without its overlap. Default: `500`. */
  readonly size?: number | undefined
  /** The unit of sizes. Tokens are estimated, rather too many than too few. Default: `"tokens"`. */
  readonly unit?: 'tokens' | 'characters' | undefined
  /** Maximum size of the end of a chunk that is repeated in the next one. At most half of `size`. Default: `0`. */
  readonly overlap?: number | undefined
  /** `heading` begins a chunk at every heading. `size` fills chunks, and prefers to cut at headings. Default: `"size"`. */
  readonly by?: 'size' | 'heading' | undefined
  /** Compares with the visits under this tag, for several consumers of a site. Default: `null`. */
  readonly tag?: string | null | undefined
}

/** How the page differs from an earlier visit. */
export interface RevisitFormat {
  readonly type: 'revisit'
  /** The id of an earlier job, or a time such as `2026-11-01T00:00:00Z`. Default: the last visit by another job. */
  readonly since?: string | undefined
  /** Loads a page about as often as it changes, and at least once in this time, unless its host reports changes reliably. */
  readonly revisitWithin?: number | undefined
}

/** What the site states about uses of the page. */
export interface PreferencesFormat {
  readonly type: 'preferences'
  /** Also read robots.txt, tdmrep.json, llms.txt and RSL licences of the host. Without them, only the headers and elements of the page are read. Default: `true`. */
  readonly site?: boolean | undefined
}

/** The content of the page as GitHub-flavoured Markdown. */
export interface MarkdownFormat {
  readonly type: 'markdown'
  /** Maximum tokens, estimated. Returns the parts that match `query` best, or the beginnings of sections. `omitted` of the document lists the others. */
  readonly maxTokens?: number | undefined
  /** Words of the parts to prefer. Requires `maxTokens`. */
  readonly query?: string | undefined
}

/** The content of the page as clean HTML. */
export interface HtmlFormat {
  readonly type: 'html'
}

/** The HTML of the page as received, decoded. */
export interface RawHtmlFormat {
  readonly type: 'rawHtml'
}

/** The body of the response as base64. Cannot be combined with other formats. */
export interface RawBase64Format {
  readonly type: 'rawBase64'
}

/** The absolute URLs of the links in the content, without duplicates, in page order. */
export interface LinksFormat {
  readonly type: 'links'
}

/** The absolute URLs of the images, without duplicates. */
export interface ImagesFormat {
  readonly type: 'images'
}

/** Text that the page hides when it opens. It was removed from the content, unless `kept` gives a reason. */
export interface HiddenTextFormat {
  readonly type: 'hiddenText'
}

/** Videos that the page names. None is downloaded. */
export interface VideoFormat {
  readonly type: 'video'
}

/** The URL of the first audio file that the page names. It is not downloaded. */
export interface AudioFormat {
  readonly type: 'audio'
}

/** The metadata of the page, and how it was loaded. */
export interface MetadataFormat {
  readonly type: 'metadata'
}

/** Attributes of elements, as written in the page. */
export interface AttributesFormat {
  readonly type: 'attributes'
  /** The attributes to read, and the elements to read them from. */
  readonly selectors: readonly {
    /** A CSS selector. */
    readonly selector: string
    /** The name of the attribute to read. */
    readonly attribute: string
  }[]
}

/** The URL of a screenshot of the page. */
export interface ScreenshotFormat {
  readonly type: 'screenshot'
  /** Captures the whole page instead of the window. Default: `false`. */
  readonly fullPage?: boolean | undefined
  /** Returns a JPEG of this quality instead of a PNG. */
  readonly quality?: number | undefined
  readonly viewport?: Viewport | undefined
}

/** The size of the browser window. */
export interface Viewport {
  /** The width of the window. */
  readonly width: number
  /** The height of the window. */
  readonly height: number
}

/** Colors, fonts, logo and distances of the page. */
export interface BrandingFormat {
  readonly type: 'branding'
}

/** A summary of the page in one paragraph. */
export interface SummaryFormat {
  readonly type: 'summary'
  /** Maximum tokens of the page that the model reads, estimated: the parts that match best. `omitted` of the document lists the others. */
  readonly maxTokens?: number | undefined
}

/** The answer, based only on the page. */
export interface QuestionFormat {
  readonly type: 'question'
  /** The question about the page. */
  readonly question: string
  /** Returns `claims`: the passages of the page that the result is based on. */
  readonly citations?: boolean | undefined
  /** Maximum tokens of the page that the model reads, estimated: the parts that match best. `omitted` of the document lists the others. */
  readonly maxTokens?: number | undefined
}

/** The answer, based only on the page. */
export interface QueryFormat {
  readonly type: 'query'
  /** The question about the page. */
  readonly prompt: string
  /** `freeform` returns an answer that the model phrases, `directQuote` verbatim passages of the page. Default: `"freeform"`. */
  readonly mode?: 'freeform' | 'directQuote' | undefined
  /** Maximum tokens of the page that the model reads, estimated: the parts that match best. `omitted` of the document lists the others. */
  readonly maxTokens?: number | undefined
}

/** Verbatim passages of the page, in page order, separated by empty lines. */
export interface HighlightsFormat {
  readonly type: 'highlights'
  /** The topic of the passages. */
  readonly query: string
  /** Maximum tokens of the page that the model reads, estimated: the parts that match best. `omitted` of the document lists the others. */
  readonly maxTokens?: number | undefined
}

/** The changes of the page since its previous scrape. */
export interface ChangeTrackingFormat {
  readonly type: 'changeTracking'
  /** How to show changes: as a text diff (`git-diff`), or by the fields of a schema (`json`). Default: `[]`. */
  readonly modes?: readonly ('git-diff' | 'json')[] | undefined
  /** The fields to compare. */
  readonly schema?:
    | {
        readonly [key: string]: unknown
      }
    | undefined
  /** Which changes to look for, in plain language. */
  readonly prompt?: string | undefined
  /** Compares the page with its history under this tag. Default: `null`. */
  readonly tag?: string | null | undefined
  /** What to ignore, such as the current date. Default: `{"selectors":[],"patterns":[]}`. */
  readonly ignore?:
    | {
        /** Elements whose text is ignored. Default: `[]`. */
        readonly selectors?: readonly string[] | undefined
        /** Ignores lines that match a pattern. Default: `[]`. */
        readonly patterns?: readonly string[] | undefined
      }
    | undefined
}

/** Collects the items of a list from all of its pages in `actions.collected`: turns pages, loads more, and scrolls. */
export interface CollectAction {
  readonly type: 'collect'
  /** Maximum number of rows. Default: `1000`. */
  readonly limit?: number | undefined
  /** Maximum number of steps: turning a page, loading more, or scrolling. Default: `100`. */
  readonly steps?: number | undefined
  /** Maximum time, within the `timeout` of the request. The rows collected by then are returned. Default: `20000`. */
  readonly time?: number | undefined
  /** CSS selector of the control for the next page. Default: detected automatically. */
  readonly next?: string | undefined
}

/** Waits for a time, or for an element. Set one of them. */
export interface WaitAction {
  readonly type: 'wait'
  /** How long to wait. */
  readonly milliseconds?: number | undefined
  /** Waits until an element matches. Counts as 1 s toward the limit of all waits. */
  readonly selector?: string | undefined
}

/** Clicks an element. */
export interface ClickAction {
  readonly type: 'click'
  /** A CSS selector. */
  readonly selector: string
  /** Clicks every matching element instead of the first. Default: `false`. */
  readonly all?: boolean | undefined
}

/** Types into the focused element. Click it first. */
export interface WriteAction {
  readonly type: 'write'
  /** The text to type. */
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
  /** The direction to scroll. Default: `"down"`. */
  readonly direction?: 'up' | 'down' | undefined
  /** The element to scroll. Default: the page. */
  readonly selector?: string | undefined
}

/** Takes a screenshot, and returns its URL in `actions.screenshots`. */
export interface ScreenshotAction {
  readonly type: 'screenshot'
  /** Captures the whole page instead of the window. Default: `false`. */
  readonly fullPage?: boolean | undefined
  /** Returns a JPEG of this quality instead of a PNG. */
  readonly quality?: number | undefined
  readonly viewport?: Viewport | undefined
}

/** Returns the current page in `actions.scrapes`. */
export interface ScrapeAction {
  readonly type: 'scrape'
}

/** Runs a script in the page, and returns its value in `actions.javascriptReturns`. */
export interface ExecuteJavascriptAction {
  readonly type: 'executeJavascript'
  /** The script. The value of its last expression is returned. */
  readonly script: string
}

/** Prints the page, and returns the URL of the PDF in `actions.pdfs`. */
export interface PdfAction {
  readonly type: 'pdf'
  /** The paper size. Default: `"Letter"`. */
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
  /** Uses landscape orientation. Default: `false`. */
  readonly landscape?: boolean | undefined
  /** The scale of the page; 1 is the original size. Default: `1`. */
  readonly scale?: number | undefined
}

/** A chunk of a page. */
export interface Chunk {
  /** Stays the same while `text` does, whatever else changes on the page. */
  readonly id: string
  /** The Markdown of the chunk, with the overlap at its beginning. */
  readonly text: string
  /** The headings above the chunk, from the first level. */
  readonly headings: readonly string[]
  /** The URL of the page, with a fragment that opens it at the chunk. */
  readonly url: string
  /** The size of `text`, in the unit of the request. Tokens are estimated. */
  readonly size: number
  /** Where the chunk begins in the Markdown of the page, without the overlap, in characters. */
  readonly start: number
  /** Where it ends. */
  readonly end: number
  /** Number of characters at the beginning of `text` that also belong to the chunk before. */
  readonly overlap: number
  /** The page of the file on which the chunk begins, with `pageMarkers` or `blocks` of the parser. */
  readonly page?: number | undefined
  /** The pages of the file that the chunk is on, with the box around its blocks. With `blocks` of the parser. */
  readonly places?:
    | readonly {
        readonly page: number
        /** Left, top, right and bottom edge, as fractions of the page. Absent for rotated text. */
        readonly box?: readonly number[] | undefined
      }[]
    | undefined
  /** Set if the chunk has a part of a table or of code that is larger than a chunk. */
  readonly cut?: 'table' | 'code' | undefined
  /** The first rows of the table that was cut, if they are in another chunk. */
  readonly tableHead?: string | undefined
}

/** A value or a sentence, with the passages that it is based on. */
export interface Claim {
  /** A value, or a sentence. */
  readonly claim: string | number | boolean
  /** The property of the document that has the claim. */
  readonly property?: string | undefined
  /** The JSON Pointer of a value in the data. */
  readonly pointer?: string | undefined
  /** The passages that it is based on. Empty if none was found on the pages. */
  readonly citations: readonly Citation[]
}

/** A passage of a page. */
export interface Citation {
  /** The URL of the page. */
  readonly url: string
  /** The URL with a fragment that opens the page at the quote. */
  readonly link: string
  /** The passage, as the Markdown of the page has it. */
  readonly quote: string
  /** Where the quote begins in the Markdown of the page, in characters. */
  readonly start: number
  /** Where it ends. */
  readonly end: number
  /** The id of the chunk with the beginning of the quote. `chunks` returns it by default. */
  readonly chunk: string
  /** The SHA-256 hash of the Markdown. */
  readonly hash: string
  /** The pages of the file that the quote is on, with the box around its blocks. */
  readonly places?:
    | readonly {
        readonly page: number
        /** Left, top, right and bottom edge, as fractions of the page. Absent for rotated text. */
        readonly box?: readonly number[] | undefined
      }[]
    | undefined
}

/** A part of a page that did not fit into a token budget. */
export interface OmittedPart {
  /** The property of the document that was made without the part. */
  readonly property?: string | undefined
  /** The id of the part, or of the first one. With a query and at least 1,000 tokens, the id that `chunks` returns by default. */
  readonly chunk: string
  /** The headings above the part, from the first level. */
  readonly headings: readonly string[]
  /** Its size, estimated. */
  readonly tokens: number
  /** Where the part begins in the whole Markdown of the page, in characters. */
  readonly start: number
  /** Where it ends. */
  readonly end: number
  /** Set if it has a part of a table or of code that is larger than a chunk. */
  readonly cut?: 'table' | 'code' | undefined
  /** Number of parts, if several are listed as one because there are more than 100. The last of 100 entries contains all later parts, and its range has returned parts as well. */
  readonly parts?: number | undefined
}

export interface Webhook {
  /** The URL that receives the messages. */
  readonly url: string
  readonly headers?: WebhookHeaders | undefined
  /** Your own values, included in each message. Default: `{}`. */
  readonly metadata?:
    | {
        readonly [key: string]: string
      }
    | undefined
  /** The events to send. */
  readonly events?:
    | readonly ('started' | 'page' | 'action' | 'completed' | 'failed' | 'cancelled' | (string & {}))[]
    | undefined
}

/** Headers sent with each message. */
export type WebhookHeaders = Headers

/** A format in a request: its name, or an object with its options. */
export type FormatEntry =
  | 'json'
  | 'deterministicJson'
  | 'lesson'
  | 'items'
  | 'dataset'
  | 'product'
  | 'article'
  | 'recipe'
  | 'job'
  | 'event'
  | 'menu'
  | 'organization'
  | 'chunks'
  | 'chunkChanges'
  | 'revisit'
  | 'preferences'
  | 'markdown'
  | 'html'
  | 'rawHtml'
  | 'rawBase64'
  | 'links'
  | 'images'
  | 'hiddenText'
  | 'video'
  | 'videos'
  | 'audio'
  | 'metadata'
  | 'attributes'
  | 'screenshot'
  | 'screenshot@fullPage'
  | 'branding'
  | 'summary'
  | 'question'
  | 'query'
  | 'highlights'
  | 'changeTracking'
  | JsonFormat
  | DeterministicJsonFormat
  | LessonFormat
  | ItemsFormat
  | DatasetFormat
  | ProductFormat
  | ArticleFormat
  | RecipeFormat
  | JobFormat
  | EventFormat
  | MenuFormat
  | OrganizationFormat
  | ChunksFormat
  | ChunkChangesFormat
  | RevisitFormat
  | PreferencesFormat
  | MarkdownFormat
  | HtmlFormat
  | RawHtmlFormat
  | RawBase64Format
  | LinksFormat
  | ImagesFormat
  | HiddenTextFormat
  | VideoFormat
  | AudioFormat
  | MetadataFormat
  | AttributesFormat
  | ScreenshotFormat
  | BrandingFormat
  | SummaryFormat
  | QuestionFormat
  | QueryFormat
  | HighlightsFormat
  | ChangeTrackingFormat

/** An action in a request. */
export type ActionEntry =
  | CollectAction
  | WaitAction
  | ClickAction
  | WriteAction
  | PressAction
  | ScrollAction
  | ScreenshotAction
  | ScrapeAction
  | ExecuteJavascriptAction
  | PdfAction

/** The scrape options of each page, without `url`. */
export interface ScrapeOptions {
  /** Removes menus, sidebars, footers and notices, and keeps the main content. Default: `true`. */
  readonly onlyMainContent?: boolean | undefined
  /** CSS selectors of the parts to keep. All others are removed. Default: `[]`. */
  readonly includeTags?: readonly string[] | undefined
  /** CSS selectors of the parts to remove. `*word*` matches elements with this word in a name or an attribute. Default: `[]`. */
  readonly excludeTags?: readonly string[] | undefined
  /** Accepts a cached copy younger than this. 0 always loads the page. Default: `0`. */
  readonly maxAge?: number | undefined
  /** Accepts only a cached copy at least this old, and loads nothing. Fails without one. */
  readonly minAge?: number | undefined
  readonly headers?: Headers | undefined
  /** Waits after the page has loaded, before it is read. At most half of `timeout`. Default: `0`. */
  readonly waitFor?: number | undefined
  /** Loads the page as a phone. Default: `false`. */
  readonly mobile?: boolean | undefined
  /** Accepts certificates that are expired, for another name, or from an unknown authority. Default: `false`. */
  readonly skipTlsVerification?: boolean | undefined
  /** The time limit of the whole request, including waits and actions. Default: `30000`. */
  readonly timeout?: number | undefined
  /** The former name of `parsers`: `false` means an empty list. */
  readonly parsePDF?: boolean | undefined
  /** File types to parse. Without `pdf` in the list, a PDF is returned as base64; without `image`, images are refused. A crawl visits images only if the list names them. */
  readonly parsers?: readonly ('pdf' | 'image' | PdfParser | ImageParser)[] | undefined
  readonly location?: Location | undefined
  /** Removes embedded base64 images from the Markdown, but not their alternative text. Default: `true`. */
  readonly removeBase64Images?: boolean | undefined
  readonly profile?: BrowserProfile | undefined
  readonly person?: Person | undefined
  /** Replaces e-mail addresses, phone numbers, bank accounts, cards, identity numbers and secrets in the Markdown. Names of people and places are not redacted. */
  readonly redactPII?: null | boolean | RedactPII | undefined
  /** Fails if the page has instructions to a language model, and returns nothing of it. */
  readonly checkPromptInjection?: boolean | null | undefined
  /** Blocks hosts and top-level domains: of the URL, of every redirect, and of the links that are found. */
  readonly threatProtection?: null | false | ThreatProtection | undefined
  /** Blocks ads and trackers in the browser. Default: `true`. */
  readonly blockAds?: boolean | undefined
  /** The proxies to use: `basic`, `enhanced` (5 credits), or `auto`, which retries with `enhanced` if the host blocks the request. `stealth` is the former name of `enhanced`. */
  readonly proxy?: 'basic' | 'enhanced' | 'stealth' | 'auto' | undefined
  /** Sends nothing to any host: returns a cached copy up to two years old, or `maxAge`, and fails without one. Stores nothing. Only for a scrape of one page. Default: `false`. */
  readonly lockdown?: boolean | undefined
  /** Stores the page in the cache for later requests. Default: `true`. */
  readonly storeInCache?: boolean | undefined
  /** Stores neither the page nor the result. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** Records the network traffic of the run for a replay. */
  readonly record?: boolean | undefined
  /** The former place of the options of the format json. */
  readonly jsonOptions?:
    | {
        /** JSON Schema of the data. In code, also a zod schema, which parses the data. */
        readonly schema?:
          | {
              readonly [key: string]: unknown
            }
          | undefined
        /** What to extract, in plain language. Required without a schema. */
        readonly prompt?: string | undefined
        /** Further instructions for the model. */
        readonly systemPrompt?: string | undefined
        /** Returns `claims`: the passages of the page that the result is based on. */
        readonly citations?: boolean | undefined
        /** Maximum tokens of the page that the model reads, estimated: the parts that match best. `omitted` of the document lists the others. */
        readonly maxTokens?: number | undefined
        /** Properties of the document that contain the data. Version 1 of the API also uses `extract`. */
        readonly as?: readonly ('json' | 'extract')[] | undefined
      }
    | undefined
  /** The former place of the options of the format changeTracking. */
  readonly changeTrackingOptions?:
    | {
        /** How to show changes: as a text diff (`git-diff`), or by the fields of a schema (`json`). Default: `[]`. */
        readonly modes?: readonly ('git-diff' | 'json')[] | undefined
        /** The fields to compare. */
        readonly schema?:
          | {
              readonly [key: string]: unknown
            }
          | undefined
        /** Which changes to look for, in plain language. */
        readonly prompt?: string | undefined
        /** Compares the page with its history under this tag. Default: `null`. */
        readonly tag?: string | null | undefined
        /** What to ignore, such as the current date. Default: `{"selectors":[],"patterns":[]}`. */
        readonly ignore?:
          | {
              /** Elements whose text is ignored. Default: `[]`. */
              readonly selectors?: readonly string[] | undefined
              /** Ignores lines that match a pattern. Default: `[]`. */
              readonly patterns?: readonly string[] | undefined
            }
          | undefined
      }
    | undefined
  /** The formats of the document: names, or objects with `type` and options. Each at most once. */
  readonly formats?: readonly FormatEntry[] | undefined
  /** Actions to run on the page before it is read, in order. All waits, including `waitFor`, may take 60 s in total. Default: `[]`. */
  readonly actions?: readonly ActionEntry[] | undefined
}

/** Options of parsing a file. */
export interface ParseOptions {
  /** Fails if the page has instructions to a language model, and returns nothing of it. */
  readonly checkPromptInjection?: boolean | null | undefined
  /** Replaces e-mail addresses, phone numbers, bank accounts, cards, identity numbers and secrets in the Markdown. Names of people and places are not redacted. */
  readonly redactPII?: null | boolean | RedactPII | undefined
  /** The name of the file. Its extension determines the type if the content does not. */
  readonly name?: string | undefined
  /** The media type of the file, if known. The content of the file takes precedence. */
  readonly contentType?: string | undefined
  /** The URL of the file, which its relative links are resolved against. It is not loaded. */
  readonly url?: string | undefined
  /** Removes menus, sidebars, footers and notices, and keeps the main content. Default: `true`. */
  readonly onlyMainContent?: boolean | undefined
  /** CSS selectors of the parts to keep. All others are removed. Default: `[]`. */
  readonly includeTags?: readonly string[] | undefined
  /** CSS selectors of the parts to remove. `*word*` matches elements with this word in a name or an attribute. Default: `[]`. */
  readonly excludeTags?: readonly string[] | undefined
  /** The time limit of the whole request, including waits and actions. Default: `30000`. */
  readonly timeout?: number | undefined
  /** File types to parse. Without `pdf` in the list, a PDF is returned as base64; without `image`, images are refused. A crawl visits images only if the list names them. */
  readonly parsers?: readonly ('pdf' | 'image' | PdfParser | ImageParser)[] | undefined
  /** Removes embedded base64 images from the Markdown, but not their alternative text. Default: `true`. */
  readonly removeBase64Images?: boolean | undefined
  /** Stores neither the page nor the result. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** Records the network traffic of the run for a replay. */
  readonly record?: boolean | undefined
  /** The formats of the document: names, or objects with `type` and options. Each at most once. */
  readonly formats?:
    | readonly (
        | 'json'
        | 'deterministicJson'
        | 'lesson'
        | 'items'
        | 'dataset'
        | 'product'
        | 'article'
        | 'recipe'
        | 'job'
        | 'event'
        | 'menu'
        | 'organization'
        | 'chunks'
        | 'preferences'
        | 'markdown'
        | 'html'
        | 'rawHtml'
        | 'links'
        | 'images'
        | 'hiddenText'
        | 'video'
        | 'videos'
        | 'audio'
        | 'metadata'
        | 'attributes'
        | 'summary'
        | 'question'
        | 'query'
        | 'highlights'
        | JsonFormat
        | DeterministicJsonFormat
        | LessonFormat
        | ItemsFormat
        | DatasetFormat
        | ProductFormat
        | ArticleFormat
        | RecipeFormat
        | JobFormat
        | EventFormat
        | MenuFormat
        | OrganizationFormat
        | ChunksFormat
        | PreferencesFormat
        | MarkdownFormat
        | HtmlFormat
        | RawHtmlFormat
        | LinksFormat
        | ImagesFormat
        | HiddenTextFormat
        | VideoFormat
        | AudioFormat
        | MetadataFormat
        | AttributesFormat
        | SummaryFormat
        | QuestionFormat
        | QueryFormat
        | HighlightsFormat
      )[]
    | undefined
}

/** Request for a crawl. */
export interface CrawlRequest {
  /** The start URL. */
  readonly url: string
  /** Regular expressions (RE2). Only pages whose path matches one of them are visited. Default: `[]`. */
  readonly includePaths?: readonly string[] | undefined
  /** Regular expressions (RE2). Pages whose path matches one of them are skipped. Default: `[]`. */
  readonly excludePaths?: readonly string[] | undefined
  /** Matches the expressions against the whole URL instead of the path. Default: `false`. */
  readonly regexOnFullURL?: boolean | undefined
  /** Maximum number of links from the start URL. The start URL and URLs from sitemaps have depth 0. */
  readonly maxDiscoveryDepth?: number | undefined
  /** Maximum number of path segments beyond those of the start URL. */
  readonly maxPathDepth?: number | undefined
  /** How to use sitemaps: not at all (`skip`), together with links (`include`), or instead of links (`only`). Default: `"include"`. */
  readonly sitemap?: 'skip' | 'include' | 'only' | undefined
  /** Treats URLs that differ only in their query as one page. Default: `false`. */
  readonly ignoreQueryParameters?: boolean | undefined
  /** Treats URLs with and without `www` or `index.html` as one page. Default: `true`. */
  readonly deduplicateSimilarURLs?: boolean | undefined
  /** Maximum number of pages to visit. Default: `10000`. */
  readonly limit?: number | undefined
  /** Also visits pages outside the path of the start URL. Default: `false`. */
  readonly crawlEntireDomain?: boolean | undefined
  /** Also follows links to other sites. Default: `false`. */
  readonly allowExternalLinks?: boolean | undefined
  /** Also follows links to subdomains of the start URL. Default: `false`. */
  readonly allowSubdomains?: boolean | undefined
  /** Visits pages that robots.txt disallows, and ignores its delay. Default: `false`. */
  readonly ignoreRobotsTxt?: boolean | undefined
  /** The user agent to look up in robots.txt. Default: that of the engine. */
  readonly robotsUserAgent?: string | undefined
  /** The pause between two pages of a host. */
  readonly delay?: number | undefined
  /** The id of an earlier job, or a time. The result of each page tells whether it has changed since then. Unchanged pages are not loaded if their host reports changes reliably. */
  readonly since?: string | undefined
  /** Maximum number of pages that the job loads at once. Default: the limit of your team. */
  readonly maxConcurrency?: number | undefined
  /** The maximum price of the job in credits. The job ends before it would cost more. */
  readonly maxCredits?: number | undefined
  /** The receiver of events: a URL, or an object with more options. */
  readonly webhook?: string | Webhook | undefined
  /** Deletes the pages when the job has ended and its results have been read. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** Records the network traffic of the run for a replay. */
  readonly record?: boolean | undefined
  /** What to crawl, in plain language. A model turns it into options. Options that you set take precedence. */
  readonly prompt?: string | undefined
  /** The scrape options of each page, without `url`. Default: `{}`. */
  readonly scrapeOptions?: ScrapeOptions | undefined
}

/** Request for a batch: many URLs with the same options. */
export interface BatchRequest extends ScrapeOptions {
  /** The pages to scrape. */
  readonly urls: readonly string[]
  /** The receiver of events: a URL, or an object with more options. */
  readonly webhook?: string | Webhook | undefined
  /** Adds the URLs to the batch with this id, with its options. */
  readonly appendToId?: string | undefined
  /** Skips invalid URLs, and lists them in `invalidURLs`. Otherwise an invalid URL fails the batch. Default: `false`. */
  readonly ignoreInvalidURLs?: boolean | undefined
  /** Maximum number of pages that the job loads at once. Default: the limit of your team. */
  readonly maxConcurrency?: number | undefined
  /** The maximum price of the job in credits. The job ends before it would cost more. */
  readonly maxCredits?: number | undefined
}

/** Request for a map. */
export interface MapRequest {
  readonly profile?: BrowserProfile | undefined
  /** Blocks hosts and top-level domains: of the URL, of every redirect, and of the links that are found. */
  readonly threatProtection?: null | false | ThreatProtection | undefined
  /** A page of the site. */
  readonly url: string
  /** Sorts the links by relevance to these keywords. */
  readonly search?: string | undefined
  /** How to use sitemaps: not at all (`skip`), together with links (`include`), or instead of links (`only`). Default: `"include"`. */
  readonly sitemap?: 'skip' | 'include' | 'only' | undefined
  /** Includes links to other hosts of the same registrable domain. Default: `true`. */
  readonly includeSubdomains?: boolean | undefined
  /** Removes the query from every link. Default: `true`. */
  readonly ignoreQueryParameters?: boolean | undefined
  /** Loads sitemaps again, instead of using cached ones (kept for seven days). Default: `false`. */
  readonly ignoreCache?: boolean | undefined
  /** Maximum number of links to return. Default: `5000`. */
  readonly limit?: number | undefined
  /** The time limit of the map. Default: none. */
  readonly timeout?: number | undefined
  readonly location?: Location | undefined
  readonly headers?: Headers | undefined
  /** If the URL has a path, returns only links whose path starts with it. Default: `true`. */
  readonly filterByPath?: boolean | undefined
  /** Records the network traffic of the run for a replay. */
  readonly record?: boolean | undefined
}

/** Request for a search. */
export interface SearchRequest {
  /** Blocks hosts and top-level domains: of the URL, of every redirect, and of the links that are found. */
  readonly threatProtection?: null | false | ThreatProtection | undefined
  /** The search query. */
  readonly query: string
  /** Maximum number of results of each source. Default: `10`. */
  readonly limit?: number | undefined
  /** The kinds of results: names, or objects with the name as `type` and more options. */
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
            /** When the page was published: `qdr:h`, `qdr:d`, `qdr:w`, `qdr:m` or `qdr:y` for the last hour, day, week, month or year, or `cdr:1,cd_min:1/31/2026,cd_max:2/28/2026`. `sbd:1` sorts by date, newest first. */
            readonly tbs?: string | undefined
            /** The country to search from, as a two-letter code. */
            readonly country?: string | undefined
            /** The language of the pages. */
            readonly lang?: string | undefined
            /** The place to search from, such as `Berlin, Germany`. */
            readonly location?: string | undefined
            /** Accepted from clients of the public API. Has no effect. */
            readonly filter?: string | undefined
          }
      )[]
    | undefined
  /** Only results in these categories. */
  readonly categories?:
    | readonly (
        | 'github'
        | 'research'
        | 'pdf'
        | 'developer'
        | 'gov'
        | {
            readonly type: 'github' | 'research' | 'pdf' | 'developer' | 'gov'
          }
      )[]
    | undefined
  /** Only results from these domains and their subdomains. */
  readonly includeDomains?: readonly string[] | undefined
  /** No results from these domains and their subdomains. */
  readonly excludeDomains?: readonly string[] | undefined
  /** Maximum number of results of each host. */
  readonly maxPerHost?: number | undefined
  /** Removes results whose page has the same Markdown as that of a better result. Default: `false`. */
  readonly removeDuplicates?: boolean | undefined
  /** Maximum tokens of the Markdown of all results together, estimated. Returns the parts that match the query best; `omitted` of a result lists the others. */
  readonly maxTokens?: number | undefined
  /** When the page was published: `qdr:h`, `qdr:d`, `qdr:w`, `qdr:m` or `qdr:y` for the last hour, day, week, month or year, or `cdr:1,cd_min:1/31/2026,cd_max:2/28/2026`. `sbd:1` sorts by date, newest first. */
  readonly tbs?: string | undefined
  /** The language of the pages. */
  readonly lang?: string | undefined
  /** The country to search from, as a two-letter code. */
  readonly country?: string | undefined
  /** The place to search from, such as `Berlin, Germany`. */
  readonly location?: string | undefined
  /** Filters adult content. */
  readonly safe?: boolean | undefined
  /** Skips results that this engine may not visit. Default: `false`. */
  readonly ignoreInvalidURLs?: boolean | undefined
  /** The time limit of the whole search, including its pages. Default: `60000`. */
  readonly timeout?: number | undefined
  /** Returns before the pages are scraped. `scrapeIds` has the ids of their scrapes. Default: `false`. */
  readonly asyncScraping?: boolean | undefined
  /** `zdr` and `anon` store nothing about the search and its pages. Default: `[]`. */
  readonly enterprise?: readonly ('default' | 'anon' | 'zdr')[] | undefined
  /** Records the network traffic of the run for a replay. */
  readonly record?: boolean | undefined
}

/** A page in the requested formats. */
export interface Document {
  /** The extracted data. It matches the schema, if there is one. */
  readonly json?: unknown
  readonly lesson?:
    | {
        /** The id of the learned extractor. `null` if no value was found on the page. */
        readonly extractor: string | null
        /** JSON Pointers of the values that the extractor finds. */
        readonly learned: readonly string[]
        /** JSON Pointers of the values that are not on the page. */
        readonly notLearned: readonly string[]
      }
    | undefined
  readonly items?: {
    /** The columns, in the order of the page. */
    readonly columns: readonly {
      readonly name: string
      readonly kind: 'text' | 'link' | 'image' | 'price' | 'date' | 'number' | 'boolean'
    }[]
    /** The items, by column. Columns without a value are absent. */
    readonly rows: readonly {
      readonly [key: string]:
        | string
        | number
        | boolean
        | {
            readonly amount: number
            readonly currency: string
          }
    }[]
    /** The total number of items, as stated on the page. */
    readonly total: number | null
    /** Whether the rows are all items. `null` if the page does not tell. */
    readonly complete: boolean | null
    /** The reason for `complete`, as a sentence. */
    readonly reason: string
    /** The JSON in the first page from which values were taken that the page does not show. `null` if all values are shown. */
    readonly json: {
      readonly script?: string
      readonly url?: string
      readonly pointer: string
    } | null
    /** Number of pages of the list that were read. */
    readonly pages: number
    /** The URL of the next page of the list, if there is a link to it. */
    readonly next: string | null
  }
  readonly dataset?: {
    readonly name: string
    /** Number of new rows. */
    readonly added: number
    /** Number of rows with other values than before. */
    readonly changed: number
    readonly same: number
  }
  readonly product?:
    | {
        readonly title: string
        readonly brand?: string
        readonly category?: string
        readonly url: string
        readonly description?: string
        readonly variants: readonly {
          readonly sku?: string
          readonly title?: string
          readonly price?: {
            readonly amount: number
            readonly currency?: string
          }
          readonly availability: {
            readonly inStock: boolean
            readonly text?: string
          }
          readonly images?: readonly {
            readonly url: string
          }[]
        }[]
        readonly evidence?: {
          readonly [key: string]: {
            readonly quote: string
            readonly method: string
            readonly selector: string
            readonly pointer?: string
            readonly position: number
            readonly confidence?: number
          }
        }
      }
    | undefined
  readonly article?:
    | {
        readonly headline: string
        readonly url: string
        readonly author?: string
        readonly datePublished?: string
        readonly dateModified?: string
        readonly description?: string
        readonly articleSection?: string
        readonly image?: string
        readonly publisher?: string
        readonly inLanguage?: string
        readonly evidence?: {
          readonly [key: string]: {
            readonly quote: string
            readonly method: string
            readonly selector: string
            readonly pointer?: string
            readonly position: number
            readonly confidence?: number
          }
        }
      }
    | undefined
  readonly recipe?:
    | {
        readonly name: string
        readonly url: string
        readonly author?: string
        readonly description?: string
        readonly image?: string
        readonly recipeIngredient: readonly string[]
        readonly recipeInstructions?: readonly string[]
        readonly prepTime?: string
        readonly cookTime?: string
        readonly totalTime?: string
        readonly recipeYield?: string
        readonly calories?: string
        readonly recipeCuisine?: string
        readonly evidence?: {
          readonly [key: string]: {
            readonly quote: string
            readonly method: string
            readonly selector: string
            readonly pointer?: string
            readonly position: number
            readonly confidence?: number
          }
        }
      }
    | undefined
  readonly job?:
    | {
        readonly title: string
        readonly url: string
        readonly hiringOrganization: string
        readonly jobLocation?: string
        readonly employmentType?: string
        readonly description?: string
        readonly datePosted?: string
        readonly validThrough?: string
        readonly evidence?: {
          readonly [key: string]: {
            readonly quote: string
            readonly method: string
            readonly selector: string
            readonly pointer?: string
            readonly position: number
            readonly confidence?: number
          }
        }
      }
    | undefined
  readonly event?:
    | {
        readonly name: string
        readonly url: string
        readonly startDate: string
        readonly endDate?: string
        readonly location?: string
        readonly organizer?: string
        readonly description?: string
        readonly image?: string
        readonly evidence?: {
          readonly [key: string]: {
            readonly quote: string
            readonly method: string
            readonly selector: string
            readonly pointer?: string
            readonly position: number
            readonly confidence?: number
          }
        }
      }
    | undefined
  readonly menu?:
    | {
        readonly isMenu: boolean
        /** The probability that the page is a menu, from 0 to 1. */
        readonly confidence: number
        readonly merchant: {
          readonly name: string
          readonly type?: string
        }
        readonly currency?: string
        readonly sections: readonly {
          readonly id: string
          readonly name: string
          readonly description?: string
          readonly items: readonly {
            readonly id: string
            readonly name: string
            readonly description?: string
            readonly images: readonly {
              readonly url: string
            }[]
            readonly price?: {
              readonly amount: number
              readonly currency?: string
              readonly formatted?: string
            }
            readonly availability: {
              readonly inStock: boolean
            }
            readonly dietary: readonly string[]
            readonly calories?: number
            readonly optionGroups: readonly unknown[]
            readonly identifiers: {
              readonly merchantItemId?: string
            }
            readonly url?: string
            readonly sourceUrl: string
          }[]
        }[]
        readonly sourceUrl: string
      }
    | undefined
  readonly organization?:
    | {
        readonly name: string
        readonly url: string
        readonly legalName?: string
        readonly description?: string
        readonly telephone?: string
        readonly email?: string
        readonly address?: string
        readonly logo?: string
        readonly foundingDate?: string
        readonly sameAs?: readonly string[]
        readonly evidence?: {
          readonly [key: string]: {
            readonly quote: string
            readonly method: string
            readonly selector: string
            readonly pointer?: string
            readonly position: number
            readonly confidence?: number
          }
        }
      }
    | undefined
  readonly chunks?: readonly Chunk[]
  /** The chunks of the page that were added, changed and removed since its last visit. */
  readonly chunkChanges?: {
    /** The visit that the page is compared with; null for the first one. */
    readonly previous: {
      readonly scrapeId: string
      readonly at: string
    } | null
    readonly added: readonly Chunk[]
    readonly changed: readonly {
      /** Stays the same while `text` does, whatever else changes on the page. */
      readonly id: string
      /** The Markdown of the chunk, with the overlap at its beginning. */
      readonly text: string
      /** The headings above the chunk, from the first level. */
      readonly headings: readonly string[]
      /** The URL of the page, with a fragment that opens it at the chunk. */
      readonly url: string
      /** The size of `text`, in the unit of the request. Tokens are estimated. */
      readonly size: number
      /** Where the chunk begins in the Markdown of the page, without the overlap, in characters. */
      readonly start: number
      /** Where it ends. */
      readonly end: number
      /** Number of characters at the beginning of `text` that also belong to the chunk before. */
      readonly overlap: number
      /** The page of the file on which the chunk begins, with `pageMarkers` or `blocks` of the parser. */
      readonly page?: number
      /** The pages of the file that the chunk is on, with the box around its blocks. With `blocks` of the parser. */
      readonly places?: readonly {
        readonly page: number
        /** Left, top, right and bottom edge, as fractions of the page. Absent for rotated text. */
        readonly box?: readonly number[]
      }[]
      /** Set if the chunk has a part of a table or of code that is larger than a chunk. */
      readonly cut?: 'table' | 'code'
      /** The first rows of the table that was cut, if they are in another chunk. */
      readonly tableHead?: string
      /** The id of the chunk that this one replaces. */
      readonly previousId: string
    }[]
    readonly removed: readonly {
      readonly id: string
      readonly headings: readonly string[]
    }[]
    /** Number of unchanged chunks. */
    readonly same: number
  }
  /** How the page differs from an earlier visit. */
  readonly revisit?: {
    readonly status: 'new' | 'same' | 'changed' | 'removed'
    readonly previous: {
      readonly scrapeId: string
      readonly at: string
    } | null
    readonly visit: 'loaded' | 'not modified' | 'not listed as changed' | 'not due'
  }
  /** What the site states about uses of the page. */
  readonly preferences?: {
    /** Whether each use is allowed. A use that the site does not mention is absent. */
    readonly uses: {
      readonly search?: boolean
      readonly 'ai-input'?: boolean
      readonly 'ai-train'?: boolean
      readonly tdm?: boolean
    }
    /** The statements of the site and the page, with their sources. */
    readonly statements: readonly {
      readonly use: 'search' | 'ai-input' | 'ai-train' | 'tdm'
      readonly allowed: boolean
      readonly signal: 'content-signal' | 'content-usage' | 'robots-tag' | 'tdm-reservation' | 'rsl'
      readonly where: string
      readonly text: string
      readonly of?: 'images'
    }[]
    /** RSL licences for the page. Those on other hosts are not read. */
    readonly licenses: readonly {
      readonly url: string
      readonly isRead: boolean
      readonly terms: readonly {
        readonly permits: readonly string[]
        readonly prohibits: readonly string[]
        readonly conditions: readonly string[]
        readonly payment: string
      }[]
    }[]
    /** URLs of policies for text and data mining. */
    readonly policies: readonly string[]
    /** URL of the llms.txt of the site, if it has one. */
    readonly llmsTxt?: string
  }
  /** The content of the page as GitHub-flavoured Markdown. */
  readonly markdown?: string
  /** The content of the page as clean HTML. */
  readonly html?: string
  /** The HTML of the page as received, decoded. */
  readonly rawHtml?: string
  /** The body of the response as base64. Cannot be combined with other formats. */
  readonly rawBase64?: string
  /** The absolute URLs of the links in the content, without duplicates, in page order. */
  readonly links?: readonly string[]
  /** The absolute URLs of the images, without duplicates. */
  readonly images?: readonly string[]
  /** Text that the page hides when it opens. It was removed from the content, unless `kept` gives a reason. */
  readonly hiddenText?: readonly {
    readonly reason: string
    readonly kept?: string
    readonly text: string
    readonly length: number
  }[]
  /** Videos that the page names. None is downloaded. */
  readonly videos?: readonly {
    readonly url: string
    /** The page. */
    readonly sourceURL: string
    /** Where the page names it. */
    readonly source: 'element' | 'opengraph' | 'twitter' | 'json-ld'
    /** A file, a playlist of a stream, or a page with a player. */
    readonly kind: 'file' | 'stream' | 'embed'
    readonly title?: string
    readonly thumbnail?: string
    /** In seconds. */
    readonly duration?: number
    readonly mimeType?: string
    readonly width?: number
    readonly height?: number
  }[]
  /** The URL of the first audio file that the page names. It is not downloaded. */
  readonly audio?: string
  /** The metadata of the page, and how it was loaded. */
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
  /** Attributes of elements, as written in the page. */
  readonly attributes?: readonly {
    readonly selector: string
    readonly attribute: string
    readonly values: readonly string[]
  }[]
  /** The URL of a screenshot of the page. */
  readonly screenshot?: string
  /** Colors, fonts, logo and distances of the page. */
  readonly branding?: {
    readonly colorScheme?: 'light' | 'dark'
    readonly brandName?: string
    /** The same as `images.logo`. */
    readonly logo?: string
    readonly fonts?: readonly {
      readonly family: string
      readonly role: 'body' | 'heading' | 'code'
    }[]
    readonly colors?: {
      readonly primary?: string
      readonly secondary?: string
      readonly accent?: string
      readonly background?: string
      readonly textPrimary?: string
      readonly textSecondary?: string
      readonly link?: string
      readonly success?: string
      readonly warning?: string
      readonly error?: string
    }
    readonly typography?: {
      readonly fontFamilies?: {
        readonly primary?: string
        readonly heading?: string
        readonly code?: string
      }
      readonly fontStacks?: {
        readonly primary?: readonly string[]
        readonly heading?: readonly string[]
        readonly body?: readonly string[]
        readonly paragraph?: readonly string[]
      }
      readonly fontSizes?: {
        readonly h1?: string
        readonly h2?: string
        readonly h3?: string
        readonly body?: string
        readonly small?: string
      }
      readonly lineHeights?: {
        readonly heading?: number
        readonly body?: number
      }
      readonly fontWeights?: {
        readonly light?: number
        readonly regular?: number
        readonly medium?: number
        readonly bold?: number
      }
    }
    readonly spacing?: {
      readonly baseUnit?: number
      readonly padding?: {
        readonly vertical?: number
        readonly horizontal?: number
      }
      readonly margins?: {
        readonly vertical?: number
      }
      readonly gridGutter?: number
      readonly borderRadius?: string
    }
    readonly components?: {
      readonly buttonPrimary?: {
        readonly background?: string
        readonly textColor?: string
        readonly borderColor?: string
        readonly borderRadius?: string
        /** If they differ. */
        readonly borderRadiusCorners?: {
          readonly topLeft: string
          readonly topRight: string
          readonly bottomRight: string
          readonly bottomLeft: string
        }
        readonly shadow?: string
      }
      readonly buttonSecondary?: {
        readonly background?: string
        readonly textColor?: string
        readonly borderColor?: string
        readonly borderRadius?: string
        /** If they differ. */
        readonly borderRadiusCorners?: {
          readonly topLeft: string
          readonly topRight: string
          readonly bottomRight: string
          readonly bottomLeft: string
        }
        readonly shadow?: string
      }
      readonly input?: {
        readonly background?: string
        readonly textColor?: string
        readonly borderColor?: string
        readonly borderRadius?: string
        /** If they differ. */
        readonly borderRadiusCorners?: {
          readonly topLeft: string
          readonly topRight: string
          readonly bottomRight: string
          readonly bottomLeft: string
        }
        readonly shadow?: string
      }
    }
    readonly images?: {
      readonly logo?: string
      readonly logoHref?: string
      readonly logoAlt?: string
      readonly favicon?: string
      readonly ogImage?: string
    }
    readonly animations?: {
      readonly transitionDuration?: string
      readonly easing?: string
    }
    readonly layout?: {
      readonly grid?: {
        readonly columns?: number
        readonly maxWidth?: string
      }
      readonly headerHeight?: string
      readonly footerHeight?: string
    }
  }
  /** A summary of the page in one paragraph. */
  readonly summary?: string
  /** The answer, based only on the page. */
  readonly answer?: string
  /** Verbatim passages of the page, in page order, separated by empty lines. */
  readonly highlights?: string
  /** The changes of the page since its previous scrape. */
  readonly changeTracking?: {
    readonly previousScrapeAt: string | null
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
  /** The Markdown of each page of a file. Present only if requested. */
  readonly pages?: readonly {
    readonly pageNumber: number
    readonly markdown: string
  }[]
  readonly blocks?: readonly {
    readonly pageNumber: number
    readonly width: number | null
    readonly height: number | null
    readonly status: 'ok' | 'partial' | 'failed'
    readonly items: readonly {
      readonly id: string
      readonly type: string
      readonly label: string | null
      readonly bbox: readonly number[] | null
      readonly content: string
      readonly markdownSpan: readonly number[] | null
      readonly readingOrder: number
      readonly source: string | null
      readonly confidence: {
        readonly layout: number | null
        readonly ocr: number | null
      }
      readonly image?: string
    }[]
  }[]
  /** A picture of each page of a file. Present only if requested. */
  readonly pageImages?: readonly {
    readonly pageNumber: number
    readonly url: string
    /** Clockwise, in degrees around the middle. The boxes of `blocks` fit the rotated picture. */
    readonly rotation: number
  }[]
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
    readonly [key: string]: unknown
  }
  /** The values and sentences of formats with `citations`, with the passages that they are based on. */
  readonly claims?: readonly Claim[]
  /** The parts of the page that did not fit into `maxTokens` of a format. */
  readonly omitted?: readonly OmittedPart[]
  readonly warning?: string
  /** The decisions during the scrape and their reasons. Present only if requested. */
  readonly explain?: {
    readonly steps: readonly {
      readonly step: string
      readonly outcome: string
      readonly reason?: string
      readonly loader?: string
      readonly status?: number
      readonly digest?: string
      readonly found?: readonly unknown[]
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
    /** Text that the page hides when it opens. It was removed from the content, unless `kept` gives a reason. */
    readonly hidden?: readonly {
      readonly reason: string
      readonly kept?: string
      readonly text: string
      readonly length: number
    }[]
    /** The sources of the author, times and names on the page, by their names in the metadata. */
    readonly metadata?: {
      readonly [key: string]: unknown
    }
    /** Explanations of the values of formats, by format. */
    readonly formats?: {
      readonly [key: string]: unknown
    }
  }
}
