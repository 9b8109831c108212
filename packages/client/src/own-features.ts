// Written by scripts/client-features.ts from the endpoints of the features. Change those, and run it.

import type { WaitOptions } from './job.ts'
import type { KnownRoutes } from './features.ts'

/** The decision of a recipient of mails. */
export type MonitorEmailResult = {
  readonly result: 'confirmed' | 'already_confirmed' | 'unsubscribed' | 'already_unsubscribed'
  readonly email: string
  readonly monitorName: string | null
}

/** The pages, schedule and notifications of a new monitor. */
export type NewMonitor = {
  /** The display name. */
  readonly name: string
  /** The times of its checks. */
  readonly schedule: {
    /** Five fields. Day of the month and weekday must both match. */
    readonly cron?: string | undefined
    /** The schedule in words, such as every 30 minutes, hourly, daily at 9:00, weekly. */
    readonly text?: string | undefined
    /** The time between two checks. */
    readonly every?: number | undefined
    /** The time zone of the cron expression and of the quiet hours. Default: `"UTC"`. */
    readonly timezone?: string | undefined
    /** Times of the day without checks. Default: `[]`. */
    readonly rest?: readonly MonitorRest[] | undefined
    /** Missed checks: run one check instead of all of them (`once`), or none (`skip`). Default: `"once"`. */
    readonly missed?: 'once' | 'skip' | undefined
    /** Maximum delay of the start of a check. It differs by monitor. Default: half of the interval, but at most 5 minutes. */
    readonly jitter?: number | undefined
  }
  /** The pages, crawls and searches to check. */
  readonly targets: readonly (
    | {
        /** The id of the target. Default: a random one. */
        readonly id?: string | undefined
        readonly type: 'scrape'
        /** The pages to check. */
        readonly urls: readonly string[]
        /** Checks each page about as often as it changes, and at least once in this time. Default: every check covers all pages. */
        readonly revisitWithin?: number | undefined
        /** Asks hosts that answer reliably whether their pages have changed, and loads only changed pages. Default: every check loads all pages. */
        readonly incremental?: boolean | undefined
        /** The options of the scrape of each page. Default: `{}`. */
        readonly scrapeOptions?:
          | {
              readonly [key: string]: Json
            }
          | undefined
      }
    | {
        /** The id of the target. Default: a random one. */
        readonly id?: string | undefined
        readonly type: 'crawl'
        /** The URL where the crawl starts. */
        readonly url: string
        /** The options of the crawl. Default: `{}`. */
        readonly crawlOptions?:
          | {
              readonly [key: string]: Json
            }
          | undefined
        /** Checks each page about as often as it changes, and at least once in this time. Default: every check covers all pages. */
        readonly revisitWithin?: number | undefined
        /** Asks hosts that answer reliably whether their pages have changed, and loads only changed pages. Default: every check loads all pages. */
        readonly incremental?: boolean | undefined
        /** The options of the scrape of each page. Default: `{}`. */
        readonly scrapeOptions?:
          | {
              readonly [key: string]: Json
            }
          | undefined
      }
    | {
        /** The id of the target. Default: a random one. */
        readonly id?: string | undefined
        readonly type: 'search'
        /** The search queries. */
        readonly queries: readonly string[]
        /** The maximum age of a result. Default: `"24h"`. */
        readonly searchWindow?: '5m' | '15m' | '1h' | '6h' | '24h' | '7d' | undefined
        /** The maximum number of results of all queries together. Default: `10`. */
        readonly maxResults?: number | undefined
        /** Domains to search, with their subdomains. */
        readonly includeDomains?: readonly string[] | undefined
        /** Domains to exclude, with their subdomains. */
        readonly excludeDomains?: readonly string[] | undefined
      }
  )[]
  readonly webhook?: string | MonitorWebhook | null | undefined
  readonly notification?: MonitorNotification | null | undefined
  /** Number of days that checks are stored. Default: `30`. */
  readonly retentionDays?: number | undefined
  /** A sentence that describes the changes that matter. A language model judges each change by it. */
  readonly goal?: string | null | undefined
  /** Whether a language model judges changes by the goal. */
  readonly judgeEnabled?: boolean | undefined
  /** Default: `{}`. */
  readonly change?: MonitorChange | undefined
  /** The maximum number of credits that its checks may cost in a month (UTC). Default: `null`. */
  readonly maxCreditsPerMonth?: number | null | undefined
  readonly origin?: string | undefined
  readonly integration?: string | null | undefined
}

/** MonitorRest. */
export type MonitorRest = {
  /** The start of the quiet hours, such as 22:00. */
  readonly from: string
  /** The end of the quiet hours, such as 06:00. If it is earlier than the start, it is on the next day. */
  readonly to: string
  /** Weekdays on which the quiet hours start. 0 is Sunday. */
  readonly days?: readonly number[] | undefined
}

/** Json. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | {
      readonly [key: string]: Json
    }

/** MonitorWebhook. */
export type MonitorWebhook = {
  /** The URL that receives the messages. */
  readonly url: string
  readonly headers?: WebhookHeaders | undefined
  /** Strings that are added to each message. Default: `{}`. */
  readonly metadata?:
    | {
        readonly [key: string]: string
      }
    | undefined
  /** The events to send. Default: `["monitor.page","monitor.check.completed"]`. */
  readonly events?: readonly ('monitor.page' | 'monitor.check.completed')[] | undefined
}

/** Headers sent with each message. */
export type WebhookHeaders = Headers

/** Headers sent to the host of the URL, and to no other host. */
export type Headers = {
  readonly [key: string]: string
}

/** Notifications in addition to the webhook. */
export type MonitorNotification = {
  /** Recipients of a mail when a page has changed. */
  readonly email?:
    | {
        /** Default: `false`. */
        readonly enabled?: boolean | undefined
        readonly recipients?: readonly string[] | undefined
        /** Default: `false`. */
        readonly includeDiffs?: boolean | undefined
      }
    | undefined
  /** The incoming webhook of Slack, or of a service with the same JSON, that receives changes. */
  readonly slack?:
    | {
        /** Default: `false`. */
        readonly enabled?: boolean | undefined
        readonly channelId?: string | undefined
        readonly channelName?: string | undefined
        readonly url?: string | undefined
      }
    | undefined
  /** Also write each message to a file on the server. */
  readonly file?: boolean | undefined
}

/** The differences that count as a change. */
export type MonitorChange = {
  /** Default: `{}`. */
  readonly ignore?:
    | {
        /** Selectors of elements to ignore. Default: `[]`. */
        readonly selectors?: readonly string[] | undefined
        /** Patterns (RE2) of lines to ignore. Default: `[]`. */
        readonly patterns?: readonly string[] | undefined
      }
    | undefined
  /** Patterns (RE2). Only changes with a matching added or removed line count. Default: `[]`. */
  readonly only?: readonly string[] | undefined
  /** The minimum number of added and removed characters. Default: `0`. */
  readonly leastCharacters?: number | undefined
  /** The formats whose values are compared, field by field. Default: `["json"]`. */
  readonly values?: readonly string[] | undefined
  /** Fields to compare, such as plans[].price. Default: all. Default: `[]`. */
  readonly fields?: readonly string[] | undefined
  /** Lists whose items are matched by `key`, not by position. Default: `[]`. */
  readonly items?:
    | readonly {
        readonly at: string
        readonly key?: string | undefined
      }[]
    | undefined
  /** The minimum change of a number. Default: `[]`. */
  readonly thresholds?:
    | readonly {
        readonly field: string
        readonly percent?: number | undefined
        readonly by?: number | undefined
      }[]
    | undefined
}

/** A monitor. */
export type Monitor = {
  readonly id: string
  readonly name: string
  readonly status: 'active' | 'paused'
  readonly schedule: {
    readonly cron?: string
    /** Milliseconds. */
    readonly every?: number
    readonly timezone: string
    readonly rest: readonly {
      readonly from: string
      readonly to: string
      readonly days?: readonly number[]
    }[]
    readonly missed: 'once' | 'skip'
    /** Milliseconds. */
    readonly jitter?: number
  }
  readonly nextRunAt: string | null
  readonly lastRunAt: string | null
  /** The running check. */
  readonly currentCheckId: string | null
  readonly targets: readonly (
    | {
        readonly id: string
        readonly type: 'scrape'
        readonly urls: readonly string[]
        readonly revisitWithin?: number
        readonly incremental?: boolean
        readonly scrapeOptions: {
          readonly [key: string]: unknown
        }
      }
    | {
        readonly id: string
        readonly type: 'crawl'
        readonly url: string
        readonly revisitWithin?: number
        readonly incremental?: boolean
        readonly crawlOptions: {
          readonly [key: string]: unknown
        }
        readonly scrapeOptions: {
          readonly [key: string]: unknown
        }
      }
    | {
        readonly id: string
        readonly type: 'search'
        readonly queries: readonly string[]
        readonly searchWindow: string
        readonly maxResults: number
        readonly includeDomains?: readonly string[]
        readonly excludeDomains?: readonly string[]
      }
  )[]
  readonly webhook: {
    readonly url: string
    readonly headers: {
      readonly [key: string]: string
    }
    readonly metadata: {
      readonly [key: string]: string
    }
    readonly events: readonly ('monitor.page' | 'monitor.check.completed')[]
  } | null
  readonly notification: {
    readonly email?: {
      readonly enabled: boolean
      readonly recipients: readonly string[]
      readonly includeDiffs: boolean
    }
    readonly slack?: {
      readonly enabled: boolean
      readonly channelId?: string
      readonly channelName?: string
      readonly url?: string
    }
    readonly file?: boolean
  } | null
  /** Absent in lists. */
  readonly emailRecipientSubscriptions?: readonly {
    readonly email: string
    /** Only `confirmed` recipients receive mails. `pending`: it has not confirmed, or the operator does not allow it. */
    readonly status: 'confirmed' | 'pending' | 'unsubscribed'
    /** `team`: the operator lists it, so it need not confirm. */
    readonly source: 'team' | 'opt_in'
    /** Whether the mail that asks it to confirm was sent. */
    readonly confirmationEmailSent: boolean
  }[]
  readonly retentionDays: number
  readonly estimatedCreditsPerMonth: number
  readonly lastCheckSummary: MonitorSummary | null
  readonly goal: string | null
  readonly judgeEnabled: boolean
  /** The differences that count as a change. */
  readonly change: {
    readonly ignore: {
      readonly selectors: readonly string[]
      readonly patterns: readonly string[]
    }
    readonly only: readonly string[]
    readonly leastCharacters: number
    readonly values: readonly string[]
    readonly fields: readonly string[]
    readonly items: readonly {
      readonly at: string
      readonly key?: string
    }[]
    readonly thresholds: readonly {
      readonly field: string
      readonly percent?: number
      readonly by?: number
    }[]
  }
  readonly maxCreditsPerMonth: number | null
  readonly creditsThisMonth: number
  /** Number of scheduled checks that were skipped. */
  readonly skippedRuns: number
  /** Feeds of the results. Each URL contains a secret, and needs no API key. */
  readonly feeds: {
    readonly rss: string
    readonly atom: string
    readonly json: string
  }
  readonly createdAt: string
  readonly updatedAt: string
}

/** The pages of a check, counted by their status. */
export type MonitorSummary = {
  readonly totalPages: number
  readonly same: number
  readonly changed: number
  readonly new: number
  readonly removed: number
  readonly error: number
}

/** The properties of a monitor to change. Absent ones stay as they are. */
export type ChangedMonitor = {
  /** The pages, crawls and searches to check. */
  readonly targets?:
    | readonly (
        | {
            /** The id of the target. Default: a random one. */
            readonly id?: string | undefined
            readonly type: 'scrape'
            /** The pages to check. */
            readonly urls: readonly string[]
            /** Checks each page about as often as it changes, and at least once in this time. Default: every check covers all pages. */
            readonly revisitWithin?: number | undefined
            /** Asks hosts that answer reliably whether their pages have changed, and loads only changed pages. Default: every check loads all pages. */
            readonly incremental?: boolean | undefined
            /** The options of the scrape of each page. Default: `{}`. */
            readonly scrapeOptions?:
              | {
                  readonly [key: string]: Json
                }
              | undefined
          }
        | {
            /** The id of the target. Default: a random one. */
            readonly id?: string | undefined
            readonly type: 'crawl'
            /** The URL where the crawl starts. */
            readonly url: string
            /** The options of the crawl. Default: `{}`. */
            readonly crawlOptions?:
              | {
                  readonly [key: string]: Json
                }
              | undefined
            /** Checks each page about as often as it changes, and at least once in this time. Default: every check covers all pages. */
            readonly revisitWithin?: number | undefined
            /** Asks hosts that answer reliably whether their pages have changed, and loads only changed pages. Default: every check loads all pages. */
            readonly incremental?: boolean | undefined
            /** The options of the scrape of each page. Default: `{}`. */
            readonly scrapeOptions?:
              | {
                  readonly [key: string]: Json
                }
              | undefined
          }
        | {
            /** The id of the target. Default: a random one. */
            readonly id?: string | undefined
            readonly type: 'search'
            /** The search queries. */
            readonly queries: readonly string[]
            /** The maximum age of a result. Default: `"24h"`. */
            readonly searchWindow?: '5m' | '15m' | '1h' | '6h' | '24h' | '7d' | undefined
            /** The maximum number of results of all queries together. Default: `10`. */
            readonly maxResults?: number | undefined
            /** Domains to search, with their subdomains. */
            readonly includeDomains?: readonly string[] | undefined
            /** Domains to exclude, with their subdomains. */
            readonly excludeDomains?: readonly string[] | undefined
          }
      )[]
    | undefined
  readonly webhook?: string | MonitorWebhook | null | undefined
  readonly notification?: MonitorNotification | null | undefined
  /** Number of days that checks are stored. */
  readonly retentionDays?: number | undefined
  /** A sentence that describes the changes that matter. A language model judges each change by it. */
  readonly goal?: string | null | undefined
  /** Whether a language model judges changes by the goal. */
  readonly judgeEnabled?: boolean | undefined
  readonly change?: MonitorChange | undefined
  /** The maximum number of credits that its checks may cost in a month (UTC). */
  readonly maxCreditsPerMonth?: number | null | undefined
  /** The display name. */
  readonly name?: string | undefined
  /** The times of its checks. */
  readonly schedule?:
    | {
        /** Five fields. Day of the month and weekday must both match. */
        readonly cron?: string | undefined
        /** The schedule in words, such as every 30 minutes, hourly, daily at 9:00, weekly. */
        readonly text?: string | undefined
        /** The time between two checks. */
        readonly every?: number | undefined
        /** The time zone of the cron expression and of the quiet hours. Default: `"UTC"`. */
        readonly timezone?: string | undefined
        /** Times of the day without checks. Default: `[]`. */
        readonly rest?: readonly MonitorRest[] | undefined
        /** Missed checks: run one check instead of all of them (`once`), or none (`skip`). Default: `"once"`. */
        readonly missed?: 'once' | 'skip' | undefined
        /** Maximum delay of the start of a check. It differs by monitor. Default: half of the interval, but at most 5 minutes. */
        readonly jitter?: number | undefined
      }
    | undefined
  readonly status?: 'active' | 'paused' | undefined
  readonly origin?: string | undefined
  readonly integration?: string | null | undefined
}

/** A check of a monitor. */
export type MonitorCheck = {
  readonly id: string
  readonly monitorId: string
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'partial' | 'skipped_overlap' | 'skipped_no_credits'
  readonly trigger: 'scheduled' | 'manual'
  readonly scheduledFor: string | null
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly estimatedCredits: number | null
  readonly reservedCredits: null
  readonly actualCredits: number | null
  readonly billingStatus: 'not_applicable' | 'reserved' | 'confirmed'
  readonly summary: MonitorSummary
  readonly targetResults: readonly {
    readonly [key: string]: unknown
  }[]
  /** The outcome of its messages, by channel. `null` until all are sent. */
  readonly notificationStatus: {
    readonly [key: string]: unknown
  } | null
  readonly error: string | null
  /** Number of missed checks that this check replaces. */
  readonly missedRuns: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** A check with some of its pages. */
export type MonitorCheckPages = {
  readonly id: string
  readonly monitorId: string
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'partial' | 'skipped_overlap' | 'skipped_no_credits'
  readonly trigger: 'scheduled' | 'manual'
  readonly scheduledFor: string | null
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly estimatedCredits: number | null
  readonly reservedCredits: null
  readonly actualCredits: number | null
  readonly billingStatus: 'not_applicable' | 'reserved' | 'confirmed'
  readonly summary: MonitorSummary
  readonly targetResults: readonly {
    readonly [key: string]: unknown
  }[]
  /** The outcome of its messages, by channel. `null` until all are sent. */
  readonly notificationStatus: {
    readonly [key: string]: unknown
  } | null
  readonly error: string | null
  /** Number of missed checks that this check replaces. */
  readonly missedRuns: number
  readonly createdAt: string
  readonly updatedAt: string
  /** The pages, in the order of their checks. */
  readonly pages: readonly CheckedPage[]
  /** The URL of the next pages. Absent at the end. */
  readonly next?: string
}

/** A page of a check. */
export type CheckedPage = {
  readonly id: string
  readonly targetId: string
  readonly url: string
  readonly status: 'same' | 'new' | 'changed' | 'removed' | 'error'
  readonly previousScrapeId: string | null
  readonly currentScrapeId: string | null
  readonly statusCode: number | null
  readonly error: string | null
  readonly metadata: {
    readonly [key: string]: unknown
  } | null
  /** The difference in the format of Git, and as data. */
  readonly diff: {
    readonly text?: string
    readonly json?: unknown
  } | null
  readonly snapshot?: {
    readonly json: unknown
  }
  /** The judgment of a language model. */
  readonly judgment: {
    readonly meaningful: boolean
    readonly confidence: 'high' | 'medium' | 'low'
    readonly reason: string
    readonly meaningfulChanges: readonly {
      readonly type: 'added' | 'removed' | 'changed'
      readonly before: string | null
      readonly after: string | null
      readonly reason: string
    }[]
  } | null
  readonly createdAt: string
}

/** A dataset. */
export type Dataset = {
  readonly name: string
  /** The columns that identify a row. */
  readonly key: readonly string[]
  readonly schema: {
    readonly [key: string]: unknown
  } | null
  /** The kinds of values of each column. */
  readonly columns: {
    readonly [key: string]: readonly ('text' | 'number' | 'integer' | 'boolean' | 'json')[]
  }
  readonly rows: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** A row to add. */
export type NewDatasetRow = {
  /** The values of the row, by column. */
  readonly values: {
    readonly [key: string]: unknown
  }
  /** The URL that the row comes from. */
  readonly source?: string | undefined
  /** Where on the page each value was found, by column. */
  readonly evidence?:
    | {
        readonly [key: string]: unknown
      }
    | undefined
}

/** Numbers of rows that were added, changed and unchanged. */
export type PutResult = {
  readonly added: number
  readonly changed: number
  readonly same: number
}

/** A row of a dataset. */
export type DatasetRow = {
  readonly id: string
  readonly values: {
    readonly [key: string]: unknown
  }
  readonly source: string | null
  /** Where on the page each value was found, by column. */
  readonly evidence: {
    readonly [key: string]: unknown
  }
  /** Milliseconds since 1970, like the other times of a row. */
  readonly firstSeen: number
  readonly changed: number
  readonly lastSeen: number
  /** The values before each change, newest first. Only changed columns. */
  readonly history: readonly {
    readonly until: number
    readonly source: string | null
    readonly values: {
      readonly [key: string]: unknown
    }
  }[]
}

/** The rows that a query selects. */
export type QueryAnswer = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
  /** Whether there are more rows than the limit. */
  readonly isCut: boolean
}

/** A learned extractor. */
export type Extractor = {
  readonly id: string
  readonly host: string
  /** Number of changes, from 1. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly changedAt: number
  readonly program: ExtractorProgram
}

/** A program that reads the fields of a template: data, with the alternatives that find each. */
export type ExtractorProgram = {
  readonly version: 1
  readonly path: string
  readonly print: readonly number[]
  readonly pages: number
  readonly fields: {
    readonly [key: string]: {
      readonly many?: boolean
      readonly isNull?: boolean
      readonly expected: {
        readonly minLength: number
        readonly maxLength: number
        readonly maxWords: number
        readonly signs: boolean
        /** Default: `0`. */
        readonly decimals: number
        readonly digits?: boolean
        readonly seen: number
        readonly absent: number
      }
      readonly hints?: readonly string[]
      readonly alternatives: readonly {
        readonly by: 'meta' | 'attribute' | 'heading' | 'class' | 'id' | 'within' | 'label' | 'near'
        readonly selector?: string
        readonly label?: string
        readonly next?: number
        readonly up?: number
        readonly attribute?: string
        readonly pick?: 'first'
        readonly alone?: true
        readonly as: 'text' | 'number' | 'price' | 'date' | 'url'
        readonly before?: string
        readonly after?: string
        readonly until?: string
        readonly order?: 'dmy' | 'mdy' | 'ymd'
        /** Default: `1`. */
        readonly right: number
        /** Default: `0`. */
        readonly wrong: number
        /** Default: `0`. */
        readonly none: number
        readonly silent?: number
        readonly invented?: number
      }[]
    }
  }
  readonly lists: {
    readonly [key: string]: {
      readonly rows: readonly string[]
      readonly fields: {
        readonly [key: string]: {
          readonly many?: boolean
          readonly isNull?: boolean
          readonly expected: {
            readonly minLength: number
            readonly maxLength: number
            readonly maxWords: number
            readonly signs: boolean
            /** Default: `0`. */
            readonly decimals: number
            readonly digits?: boolean
            readonly seen: number
            readonly absent: number
          }
          readonly hints?: readonly string[]
          readonly alternatives: readonly {
            readonly by: 'meta' | 'attribute' | 'heading' | 'class' | 'id' | 'within' | 'label' | 'near'
            readonly selector?: string
            readonly label?: string
            readonly next?: number
            readonly up?: number
            readonly attribute?: string
            readonly pick?: 'first'
            readonly alone?: true
            readonly as: 'text' | 'number' | 'price' | 'date' | 'url'
            readonly before?: string
            readonly after?: string
            readonly until?: string
            readonly order?: 'dmy' | 'mdy' | 'ymd'
            /** Default: `1`. */
            readonly right: number
            /** Default: `0`. */
            readonly wrong: number
            /** Default: `0`. */
            readonly none: number
            readonly silent?: number
            readonly invented?: number
          }[]
        }
      }
    }
  }
}

/** A program after a change. */
export type ExtractorVersion = {
  /** Number of changes, from 1. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly changedAt: number
  readonly program: ExtractorProgram
}

/** A chunk that was added, changed or removed. */
export type ChunkChange = {
  readonly change: 'added' | 'changed' | 'removed'
  /** The requested URL of the page. Together with `id` it identifies the chunk. */
  readonly page: string
  readonly id: string
  /** The id of the chunk that this one replaces, if it is changed. */
  readonly previousId?: string
  readonly headings: readonly string[]
  /** The chunk, unless it is removed. */
  readonly chunk?: Chunk
}

/** A chunk of a page. */
export type Chunk = {
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
}

/** A learned site API without its recipe. */
export type ListedSiteApi = {
  readonly id: string
  readonly host: string
  /** Milliseconds since 1970. */
  readonly learnedAt: number
  /** Number of responses that the page received in the browser. */
  readonly browserRequests: number
  /** Present if the recipe fails and no other one could be learned. */
  readonly failing?: {
    /** Why the last run failed. */
    readonly reason: string
    /** Number of consecutive failures. */
    readonly failures: number
    /** When the recipe is run again, in milliseconds since 1970. */
    readonly retryAt: number
  }
  /** The URL of the page. */
  readonly page: string
}

/** A learned site API. */
export type SiteApi = {
  readonly id: string
  readonly host: string
  /** Milliseconds since 1970. */
  readonly learnedAt: number
  /** Number of responses that the page received in the browser. */
  readonly browserRequests: number
  readonly recipe: SiteApiRecipe
  /** Present if the recipe fails and no other one could be learned. */
  readonly failing?: {
    /** Why the last run failed. */
    readonly reason: string
    /** Number of consecutive failures. */
    readonly failures: number
    /** When the recipe is run again, in milliseconds since 1970. */
    readonly retryAt: number
  }
}

/** How to request the items of a page without a browser. */
export type SiteApiRecipe = {
  readonly version: 1
  /** The page without the query parameters that are parameters of the recipe. */
  readonly page: string
  /** Query parameters of the page that the request uses. */
  readonly parameters: readonly string[]
  /** Whether the page is requested first, for its cookies and tokens. */
  readonly visitsPage: boolean
  /** What is requested as the page if it redirects: its URL after the redirects. */
  readonly document?: {
    readonly url: string
    readonly query: readonly (readonly [string, string])[]
  }
  readonly request: {
    readonly method: 'GET' | 'POST'
    readonly url: string
    readonly query: readonly (readonly [string, string])[]
    readonly headers: {
      readonly [key: string]: string
    }
    readonly body?:
      | {
          readonly as: 'json'
          readonly value: Json
        }
      | {
          readonly as: 'form'
          readonly fields: readonly (readonly [string, string])[]
        }
  }
  readonly tokens: readonly {
    readonly name: string
    readonly from:
      | {
          readonly in: 'page'
          readonly before: string
          readonly after: string
        }
      | {
          readonly in: 'response'
          readonly url: string
          readonly before: string
          readonly after: string
        }
      | {
          readonly in: 'cookie'
          readonly name: string
        }
  }[]
  readonly paging?:
    | {
        readonly by: 'number'
        /** A value of the request: a parameter of the query or the form, or a value in the JSON body. */
        readonly at: {
          readonly in: 'query' | 'form' | 'json'
          readonly path: readonly string[]
        }
        readonly step: number
      }
    | {
        readonly by: 'cursor'
        /** A value of the request: a parameter of the query or the form, or a value in the JSON body. */
        readonly at: {
          readonly in: 'query' | 'form' | 'json'
          readonly path: readonly string[]
        }
        readonly from: readonly string[]
      }
    | {
        readonly by: 'next'
        readonly from: readonly string[]
      }
    | {
        readonly by: 'link'
      }
  readonly items:
    | {
        readonly in: 'json'
        readonly path: readonly string[]
        readonly fields: readonly string[]
      }
    | {
        readonly in: 'script'
        readonly index: number
        readonly path: readonly string[]
        readonly fields: readonly string[]
      }
    | {
        readonly in: 'html'
        readonly selector: string
        readonly fields: {
          readonly [key: string]: {
            readonly selector: string
          }
        }
      }
  /** JSON Schema of one item. */
  readonly schema: {
    readonly [key: string]: Json
  }
}

/** LearnedSiteApi. */
export type LearnedSiteApi = {
  /** The stored recipe. Absent if none could be learned. */
  readonly api?: SiteApi
  /** The items of the first page of the list. */
  readonly items: readonly {
    readonly [key: string]: Json
  }[]
  /** Requests for which there is no recipe, and why. */
  readonly refused: readonly {
    readonly url: string
    readonly reason: string
  }[]
  readonly creditsUsed: number
}

/** A script: data that can be read and edited. */
export type Script = {
  /** The version of the script format. */
  readonly version: 1
  /** The URL that a run opens first. */
  readonly start: string
  /** The hosts that a run may navigate to. */
  readonly hosts: readonly string[]
  /** The parameters of a run, by name. */
  readonly parameters: {
    readonly [key: string]: {
      readonly type: 'text' | 'list'
      /** The value is passed with each run and never stored. */
      readonly secret?: boolean | undefined
      /** The only origin where the secret may be typed. */
      readonly origin?: string | undefined
    }
  }
  /** The steps, in order. */
  readonly steps: readonly {
    /** The kind of step. */
    readonly action: 'click' | 'fill' | 'select' | 'press' | 'goto'
    /** The tab to act in, by the name given in the step that opened it. Default: the first tab. */
    readonly tab?: string | undefined
    /** Ways to find the element: role and accessible name, label, text, attributes, the strings before and after it and in its row, its path, the frame that holds it (id, name, title, URL, path), the part of the page in which it was the only element of its role, and its number among elements of the same role and name. */
    readonly target?:
      | {
          readonly role: string
          readonly name: string
          readonly label?: string | undefined
          readonly text?: string | undefined
          /** Default: `{}`. */
          readonly attributes?:
            | {
                readonly [key: string]: string
              }
            | undefined
          readonly before?: string | undefined
          readonly after?: string | undefined
          readonly row?: readonly string[] | undefined
          readonly path?: string | undefined
          readonly frame?:
            | {
                readonly [key: string]: string
              }
            | undefined
          readonly alone?: string | undefined
          readonly place?:
            | {
                readonly index: number
                readonly of: number
              }
            | undefined
        }
      | undefined
    /** The string to type, option to choose, key to press or URL to open. `{{name}}` is replaced by the parameter `name`. */
    readonly value?: string | readonly string[] | undefined
    /** A parameter that is a list: the step runs once for each item. */
    readonly each?: string | undefined
    /** The number of steps that `each` repeats, starting with this one. */
    readonly block?: number | undefined
    /** The step runs until the page shows this string; it does not run if the page shows it already. */
    readonly until?: string | undefined
    /** What must hold after the step. Default: `{}`. */
    readonly expects?:
      | {
          /** The URL of the page after the step. */
          readonly address?: string | undefined
          /** The state of the element after the step. */
          readonly state?:
            | {
                readonly value?: string | undefined
                readonly filled?: boolean | undefined
                readonly checked?: boolean | undefined
                readonly selected?: boolean | undefined
                readonly expanded?: boolean | undefined
                readonly pressed?: boolean | undefined
              }
            | undefined
          /** The element is no longer on the page. */
          readonly gone?: true | undefined
          /** Headings, messages and other strings that the page shows after the step. */
          readonly shows?: readonly string[] | undefined
          /** Fields and buttons on the page after the step, such as `button Save`. */
          readonly controls?: readonly string[] | undefined
          /** Tabs that the step opens. */
          readonly opens?:
            | readonly {
                /** The name by which later steps refer to this tab. */
                readonly tab: string
                /** The URL that the tab shows. */
                readonly address?: string | undefined
              }[]
            | undefined
          /** Tabs that the step closes. */
          readonly closes?: readonly string[] | undefined
        }
      | undefined
  }[]
}

/** A script with its steps. */
export type KeptScript = {
  readonly name: string
  /** The number of the version, from 1. */
  readonly version: number
  readonly origin: 'recorded' | 'edited' | 'repaired'
  /** Milliseconds since 1970. */
  readonly changedAt: number
  readonly script: Script
}

/** Starts with the saved cookies and storage of an earlier browser. Turns off the cache. */
export type BrowserProfile = {
  /** The name of the profile, within the team. */
  readonly name: string
  /** Saves the changed cookies and storage after a scrape, and when a live browser ends. Default: `true`. */
  readonly saveChanges?: boolean | undefined
  readonly loggedInMarker?: LoggedInMarker | undefined
}

/** What only visitors who are logged in see. A page without it fails with `logged_out`. Saved with the profile. */
export type LoggedInMarker = {
  /** A CSS selector of an element that only visitors who are logged in see. */
  readonly selector?: string | undefined
  /** Text that only visitors who are logged in see. Upper and lower case are equal. */
  readonly text?: string | undefined
}

/** The result of a run. */
export type ScriptRun = {
  readonly name: string
  readonly version: number
  /** The version with the repairs of this run. */
  readonly repairedTo?: number
  /** The URL of the page at the end. */
  readonly url: string
  readonly steps: readonly {
    readonly step: number
    readonly action: string
    readonly outcome: 'done' | 'already' | 'repaired'
    readonly element?: string
    readonly note?: string
    readonly url: string
  }[]
  readonly repairs: readonly {
    /** The number of the step in the script, from 1. */
    readonly step: number
    readonly changes: readonly string[]
    readonly before: ScriptTarget
    readonly after: ScriptTarget
  }[]
}

/** An element, with several ways to find it. */
export type ScriptTarget = {
  readonly role: string
  readonly name: string
  readonly label?: string
  readonly text?: string
  /** Default: `{}`. */
  readonly attributes: {
    readonly [key: string]: string
  }
  readonly before?: string
  readonly after?: string
  readonly row?: readonly string[]
  readonly path?: string
  readonly frame?: {
    readonly [key: string]: string
  }
  readonly alone?: string
  readonly place?: {
    readonly index: number
    readonly of: number
  }
}

/** A version of a script: its parameters, and the number of its steps. */
export type ScriptVersion = {
  readonly name: string
  /** The number of the version, from 1. */
  readonly version: number
  readonly origin: 'recorded' | 'edited' | 'repaired'
  /** Milliseconds since 1970. */
  readonly changedAt: number
  /** The URL that a run opens first. */
  readonly start: string
  /** The parameters of a run, by name. */
  readonly parameters: {
    readonly [key: string]: {
      readonly type: 'text' | 'list'
      /** The value is passed with each run and never stored. */
      readonly secret?: boolean
      /** The only origin where the secret may be typed. */
      readonly origin?: string
    }
  }
  readonly steps: number
}

/** The versions and repairs of a script, newest first. */
export type ScriptHistory = {
  readonly versions: readonly ScriptVersion[]
  readonly repairs: readonly {
    /** The number of the step in the script, from 1. */
    readonly step: number
    readonly changes: readonly string[]
    readonly before: ScriptTarget
    readonly after: ScriptTarget
    readonly at: number
    readonly version: number
  }[]
}

/** A new live browser. */
export type OpenedBrowser = {
  readonly id: string
  /** The URL for clients of the DevTools protocol, such as Puppeteer and Playwright. */
  readonly cdpUrl: string
  /** A page that shows the live browser. */
  readonly liveViewUrl: string | null
  /** A page that shows the live browser and accepts input. */
  readonly interactiveLiveViewUrl: string | null
  readonly expiresAt: string
}

/** A live browser in a list. */
export type ListedBrowser = {
  readonly id: string
  readonly cdpUrl: string
  readonly liveViewUrl: string
  readonly interactiveLiveViewUrl: string
  readonly streamWebView: boolean
  readonly createdAt: string
  readonly lastActivity: string
  readonly status: 'active' | 'destroyed'
}

/** The state of a live browser. */
export type BrowserState = {
  readonly id: string
  readonly cdpUrl: string
  readonly liveViewUrl: string
  readonly interactiveLiveViewUrl: string
  readonly streamWebView: boolean
  readonly createdAt: string
  readonly lastActivity: string
  readonly status: 'running' | 'stopped'
  readonly expiresAt: string
  /** The languages in which code can run. Present while the live browser is open. */
  readonly languages?: readonly ('node' | 'python' | 'bash')[]
  readonly sessionDurationMs?: number
  readonly creditsBilled?: number
  readonly endedAt?: string
  /** Why the live browser ended, if known. */
  readonly endReason?: 'stopped' | 'lifetime' | 'unused' | 'lost' | 'closed'
}

/** The duration and the price of a live browser that has ended. */
export type BrowserEnd = {
  readonly sessionDurationMs: number
  readonly creditsBilled: number
  readonly cleanupQueued: false
}

/** The result of code. */
export type Executed = {
  readonly success: boolean
  readonly stdout: string
  readonly result: string | null
  readonly stderr: string
  readonly exitCode: number
  readonly killed: boolean
  readonly truncated?: boolean
  readonly error?: string
}

/** The tools that the page in a live browser declares to models. */
export type PageTools = {
  readonly tools: readonly PageTool[]
  /** Tools that cannot be called, with the reason. */
  readonly omitted: readonly {
    readonly name: string
    readonly reason: string
  }[]
}

/** A tool that a page declares to models. All of it is untrusted. */
export type PageTool = {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** The JSON Schema of the input. */
  readonly inputSchema?: {
    readonly [key: string]: Json
  }
  /** Whether the page states that the tool changes nothing. This is not checked. */
  readonly isReadOnly: boolean
  /** Whether the tool fills in a form of the page. */
  readonly isForm: boolean
}

/** The result of a tool of a page. It is untrusted. */
export type PageToolResult = {
  /** `filled`: the page wants a person to submit the form. `navigated`: the page was replaced, so there is no result. */
  readonly status: 'done' | 'filled' | 'submitted' | 'navigated' | 'failed'
  /** The result of the tool: a string, or JSON. */
  readonly result?: string
  /** Whether the result was longer than 100,000 characters. */
  readonly isCut: boolean
  /** The message of the page, if the tool failed. */
  readonly error?: string
}

/** A link to the live view of a live browser. */
export type BrowserShare = {
  readonly id: string
  /** The URL of the live view, without input. It needs no API key. */
  readonly url: string
  readonly createdAt: string
  readonly expiresAt: string
}

/** The result of code or of a task, and its browser. */
export type Interacted = {
  readonly success: boolean
  readonly stdout: string
  readonly result: string | null
  readonly stderr: string
  readonly exitCode: number
  readonly killed: boolean
  readonly truncated?: boolean
  readonly error?: string
  /** The URL for clients of the DevTools protocol, such as Puppeteer and Playwright. */
  readonly cdpUrl: string
  /** A page that shows the live browser. */
  readonly liveViewUrl: string | null
  /** A page that shows the live browser and accepts input. */
  readonly interactiveLiveViewUrl: string | null
  readonly sessionId: string
  /** The answer to a task. */
  readonly output?: string | null
}

/** A request to a person. */
export type PersonRequest = {
  readonly id: string
  readonly status: 'waiting' | 'done' | 'failed' | 'timeout' | 'cancelled'
  readonly reason: 'login_expired' | 'captcha' | 'second_factor' | 'confirmation'
  /** The error of the page. */
  readonly message: string
  /** The page that needs a person. */
  readonly url: string
  readonly profile: string
  /** The scrape or job whose pages wait. */
  readonly jobId: string | null
  /** The URL for the person. It needs no API key. `null` if the public URL of the server is unknown. */
  readonly link: string | null
  readonly createdAt: string
  readonly expiresAt: string
  readonly endedAt: string | null
}

/** The credits of a team. */
export type Usage = {
  readonly remainingCredits: number
  readonly planCredits: number
  /** True for a team without a limit. The numbers are then very large. */
  readonly unlimited: boolean
  readonly billingPeriodStart: string | null
  readonly billingPeriodEnd: string | null
}

/** The credits used in a period, by all keys or by one. */
export type UsagePeriod = {
  readonly startDate: string
  readonly endDate: string | null
  readonly apiKey?: string
  readonly creditsUsed: number
  readonly totalCredits: number
}

/** The threat protection that applies to all requests of a team. */
export type ThreatPolicy = {
  readonly mode: 'off' | 'manual-only'
  readonly blacklist: readonly string[]
  readonly whitelist: readonly string[]
  readonly blockedTlds: readonly string[]
  readonly riskScoreThreshold: number
  readonly failurePolicy: 'open' | 'closed'
  readonly allowRequestOverrides: boolean
  /** False until the policy is set for the first time. */
  readonly configured: boolean
}

/** NewThreatPolicy. */
export type NewThreatPolicy = {
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
  /** Allows a request to replace lists of the policy by its own. Default: `true`. */
  readonly allowRequestOverrides?: boolean | undefined
  /** Accepted as the response has it. Has no effect. */
  readonly configured?: boolean | undefined
}

/** The pages of a team that are loading and waiting. */
export type TeamQueue = {
  readonly jobsInQueue: number
  readonly activeJobsInQueue: number
  readonly waitingJobsInQueue: number
  readonly maxConcurrency: number
  readonly mostRecentSuccess: string | null
}

/** The price of a request before it is made. */
export type PricePreview = {
  /** The lowest price of a success. Failures are free. */
  readonly min: number
  /** The price of ordinary web pages without retries, for crawls up to the limit. Absent if unknown. */
  readonly expected?: number
  /** The highest price. `null` if there is no limit. */
  readonly max: number | null
  /** The parts of the price. If there are several pages, those of one page. */
  readonly reasons: readonly {
    readonly what: string
    readonly min: number
    readonly expected?: number
    readonly max: number | null
  }[]
}

/** A page of the requests of a team. */
export type ActivityPage = {
  readonly data: readonly ActivityEntry[]
  readonly cursor: string | null
  readonly has_more: boolean
}

/** A request of the last 24 hours. */
export type ActivityEntry = {
  readonly id: string
  /** The operation: a method of the engine, or a kind of job. */
  readonly endpoint: string
  readonly api_version: string | null
  readonly created_at: string
  readonly target: string | null
  /** The id of the API key, if the team has keys. */
  readonly key?: string
  /** The error code of a request that was refused before it started. */
  readonly refused?: string
  /** The duration in milliseconds. Absent while the request runs, and if unknown. */
  readonly duration_ms?: number
  /** The price of the request in credits. */
  readonly credits_used?: number
  /** The error code of a request that failed after it started. */
  readonly failed?: string
  /** The number of failed pages of the job. Absent if there are none. */
  readonly failed_pages?: number
}

/** The number of requests in an hour. */
export type ActiveHour = {
  readonly startDate: string
  readonly requests: number
}

/** The costs of an hour. */
export type CostHour = {
  readonly startDate: string
  readonly rows: readonly CostRow[]
}

/** The cost of the requests that ended in an hour, of one endpoint and one key. */
export type CostRow = {
  readonly endpoint: string
  /** The id of the key. Absent without a key. */
  readonly key?: string
  readonly requests: number
  /** The number of failed requests. */
  readonly failed: number
  readonly credits: number
  /** Milliseconds of all requests together. */
  readonly ms: number
}

/** Feedback on the result of a request. */
export type GivenFeedback = {
  /** The endpoint of the request. */
  readonly endpoint: 'search' | 'scrape' | 'parse' | 'map'
  /** The id of its result. */
  readonly jobId: string
  /** How useful the result was. */
  readonly rating: 'good' | 'partial' | 'bad'
  /** The results that helped. */
  readonly valuableSources?: readonly {
    readonly url: string
    readonly reason?: string
  }[]
  /** Topics that the result lacked. */
  readonly missingContent?: readonly {
    readonly topic: string
    readonly description?: string
  }[]
  /** How the query should have been. */
  readonly querySuggestions?: string
  /** Short names of problems, such as `missing_table`. */
  readonly issues?: readonly string[]
  /** Names to find the feedback again. */
  readonly tags?: readonly string[]
  /** The feedback in plain words. */
  readonly note?: string
  /** The page that it is about. */
  readonly url?: string
  /** Pages of a document. */
  readonly pageNumbers?: readonly number[]
  /** Further data about the result. */
  readonly metadata?: {
    readonly [key: string]: Json
  }
  readonly id: string
  readonly createdAt: string
}

/** The endpoints of `monitors`. */
export interface Monitors {
  /** Confirms that a recipient wants mails of a monitor. */
  confirmEmail(
    input: {
      /** The token in the link of a mail. */
      readonly token: string
    },
    options?: WaitOptions,
  ): Promise<MonitorEmailResult>
  /** Unsubscribes a recipient from the mails of a monitor. */
  unsubscribeEmail(
    input: {
      /** The token in the link of a mail. */
      readonly token: string
    },
    options?: WaitOptions,
  ): Promise<MonitorEmailResult>
  /** Returns the page of a link in a mail, with a button to confirm or unsubscribe. It changes nothing. */
  emailPage(action: string, token: string, options?: WaitOptions): Promise<Response>
  /** Confirms or unsubscribes as the page of the link does, and as mail clients do with one click. */
  answerEmailPage(action: string, token: string, options?: WaitOptions): Promise<Response>
  /** Creates a monitor, which checks pages, crawls or searches on a schedule. */
  create(input: NewMonitor, options?: WaitOptions): Promise<Monitor>
  /** Lists the monitors of your team, newest first. */
  list(
    input?: {
      /** Default: `25`. */
      readonly limit?: number | undefined
      /** Number of items to skip. Default: `0`. */
      readonly offset?: number | undefined
    },
    options?: WaitOptions,
  ): Promise<readonly Monitor[]>
  /** Returns the results of a monitor as RSS, Atom or JSON Feed. Its URL, in `feeds` of the monitor, is its key. */
  feed(secret: string, form: string, options?: WaitOptions): Promise<Response>
  /** Returns a monitor. */
  get(id: string, options?: WaitOptions): Promise<Monitor>
  /** Updates a monitor. Set `status` to pause or resume it. */
  update(id: string, input?: ChangedMonitor, options?: WaitOptions): Promise<Monitor>
  /** Deletes a monitor and its checks. */
  delete(id: string, options?: WaitOptions): Promise<void>
  /** Starts a check of a monitor now. */
  run(id: string, options?: WaitOptions): Promise<MonitorCheck>
  /** Lists the checks of a monitor, newest first. */
  checks(
    id: string,
    input?: {
      /** Default: `25`. */
      readonly limit?: number | undefined
      /** Number of items to skip. Default: `0`. */
      readonly offset?: number | undefined
      readonly status?:
        | 'queued'
        | 'running'
        | 'completed'
        | 'failed'
        | 'partial'
        | 'skipped_overlap'
        | 'skipped_no_credits'
        | undefined
    },
    options?: WaitOptions,
  ): Promise<readonly MonitorCheck[]>
  /** Returns a check of a monitor with some of its pages. */
  check(
    id: string,
    checkId: string,
    input?: {
      /** Default: `25`. */
      readonly limit?: number | undefined
      /** Default: `0`. */
      readonly skip?: number | undefined
      readonly status?: 'same' | 'new' | 'changed' | 'removed' | 'error' | undefined
    },
    options?: WaitOptions,
  ): Promise<MonitorCheckPages>
}

/** The endpoints of `datasets`. */
export interface Datasets {
  /** Creates a dataset: rows with a key, an optional schema and a history. */
  create(
    input: {
      /** The name of the dataset, unique in your team. */
      readonly name: string
      /** The columns that identify a row. Rows with equal values in them are the same row. Default: all columns. Default: `[]`. */
      readonly key?: readonly string[] | undefined
      /** A JSON Schema that each row must fit. */
      readonly schema?:
        | {
            readonly [key: string]: unknown
          }
        | undefined
    },
    options?: WaitOptions,
  ): Promise<Dataset>
  /** Lists the datasets of your team, by name. */
  list(options?: WaitOptions): Promise<readonly Dataset[]>
  /** Returns a dataset with its columns and its number of rows. */
  get(name: string, options?: WaitOptions): Promise<Dataset>
  /** Deletes a dataset with its rows. */
  delete(name: string, options?: WaitOptions): Promise<void>
  /** Adds rows, and updates those with the same key. All rows are checked before one is written. */
  put(
    name: string,
    input: {
      /** 1 to 10000 rows. */
      readonly rows: readonly NewDatasetRow[]
    },
    options?: WaitOptions,
  ): Promise<PutResult>
  /** Adds the rows in the documents of a crawl or batch that has ended. */
  collect(
    name: string,
    input: {
      /** The id of a crawl or batch that has ended. */
      readonly job: string
      /** The field of the documents that contains the rows, such as `json` or `items`. */
      readonly from: string
      /** The property of the field that contains the rows, such as `a.b`. Default: the field itself if it is an array, its only array, or the whole field as one row. */
      readonly path?: string | undefined
    },
    options?: WaitOptions,
  ): Promise<PutResult>
  /** Lists rows of a dataset, a page at a time. */
  rows(
    name: string,
    input?: {
      /** The maximum number of rows to return. Default: `100`. */
      readonly limit?: number | undefined
      /** The id of the last row of the previous page: its `next`. */
      readonly after?: string | undefined
    },
    options?: WaitOptions,
  ): Promise<{
    readonly data: readonly DatasetRow[]
    /** Send it as `after` to get the next page. */
    readonly next?: string
  }>
  /** Returns a row with its history. */
  row(name: string, row: string, options?: WaitOptions): Promise<DatasetRow>
  /** Deletes a row. */
  deleteRow(name: string, row: string, options?: WaitOptions): Promise<void>
  /** Runs a SELECT statement of SQLite on the rows of a dataset. */
  query(
    name: string,
    input: {
      /** A SELECT statement of SQLite. The table `rows` has the columns of the dataset. */
      readonly sql: string
      /** The values of the `?` in the SQL. Default: `[]`. */
      readonly params?: readonly (string | number | null)[] | undefined
      /** The maximum number of rows to return. Default: `1000`. */
      readonly limit?: number | undefined
      /** How long the query may take. Default: `10000`. */
      readonly timeout?: number | undefined
    },
    options?: WaitOptions,
  ): Promise<QueryAnswer>
  /** Returns the dataset as a file: JSON lines, CSV or Parquet. */
  export(
    name: string,
    input?: {
      /** The file format. Default: `"jsonl"`. */
      readonly format?: 'jsonl' | 'csv' | 'parquet' | undefined
    },
    options?: WaitOptions,
  ): Promise<Response>
}

/** The endpoints of `extractors`. */
export interface Extractors {
  /** Lists the learned extractors of your team, the most recent site first. */
  list(options?: WaitOptions): Promise<readonly Extractor[]>
  /** Returns an extractor with its program. */
  get(id: string, options?: WaitOptions): Promise<Extractor>
  /** Replaces the program of an extractor, starting with the next page. */
  edit(
    id: string,
    input: {
      readonly program: ExtractorProgram
    },
    options?: WaitOptions,
  ): Promise<Extractor>
  /** Deletes an extractor and its versions. Its pages are read by the model again. */
  delete(id: string, options?: WaitOptions): Promise<void>
  /** Lists the last versions of an extractor, newest first. */
  versions(id: string, options?: WaitOptions): Promise<readonly ExtractorVersion[]>
}

/** The endpoints of `chunks`. */
export interface Chunks {
  /** Lists the chunks that a finished crawl or batch with chunkChanges found added, changed and removed. */
  changes(
    job: string,
    input?: {
      /** The maximum number of changes to return. Default: `100`. */
      readonly limit?: number | undefined
      /** The `next` of the previous page. */
      readonly after?: string | undefined
    },
    options?: WaitOptions,
  ): Promise<{
    readonly data: readonly ChunkChange[]
    /** Send it as `after` to get the next page. Absent at the end. */
    readonly next?: string
  }>
}

/** The endpoints of `siteApis`. */
export interface SiteApis {
  /** Lists the learned site APIs of your team by host, without their recipes. */
  list(
    input?: {
      /** The maximum number of hosts to return. Default: `20`. */
      readonly limit?: number | undefined
      /** The `next` of the previous page. */
      readonly after?: string | undefined
    },
    options?: WaitOptions,
  ): Promise<{
    readonly data: readonly ListedSiteApi[]
    /** Send it as `after` to get the next page. Absent at the end. */
    readonly next?: string
  }>
  /** Returns a site API with its recipe. */
  get(id: string, options?: WaitOptions): Promise<SiteApi>
  /** Deletes a site API. The next scrape of its page learns it again. */
  delete(id: string, options?: WaitOptions): Promise<void>
  /** Learns the site API of the page in a live browser that was opened with `record: true`. */
  learnFromBrowser(
    id: string,
    input?: {
      /** The content that the page showed. Default: its visible text now. */
      readonly shown?: string | undefined
      /** Whether POST requests other than GraphQL queries may be repeated. They may change data. Default: `false`. */
      readonly repeatPosts?: boolean | undefined
    },
    options?: WaitOptions,
  ): Promise<LearnedSiteApi>
  /** Learns a site API from the record of a request that had `record: true`. */
  learnFromRecord(
    id: string,
    input: {
      /** The content that the page showed, as text, Markdown or HTML, with at least two items of the list. */
      readonly shown: string
      /** The URL of the page, after redirects. Default: the first page of the record. */
      readonly url?: string | undefined
      /** Whether POST requests other than GraphQL queries may be repeated. They may change data. Default: `false`. */
      readonly repeatPosts?: boolean | undefined
    },
    options?: WaitOptions,
  ): Promise<LearnedSiteApi>
  /** Learns a site API from a HAR file of a browser, or from the file of a record. */
  learnFromFile(
    input: {
      /** The content that the page showed, as text, Markdown or HTML, with at least two items of the list. */
      readonly shown: string
      /** The URL of the page, after redirects. Default: the first page of the record. */
      readonly url?: string | undefined
      /** Whether POST requests other than GraphQL queries may be repeated. They may change data. Default: `false`. */
      readonly repeatPosts?: boolean | undefined
      /** The content of a HAR file, or a record (`.warc.gz`) in base64. */
      readonly file: string
    },
    options?: WaitOptions,
  ): Promise<LearnedSiteApi>
}

/** The endpoints of `scripts`. */
export interface Scripts {
  /** Records the steps taken in a live browser, until a script is saved from them. */
  record(
    input: {
      /** The id of an open live browser. */
      readonly session: string
    },
    options?: WaitOptions,
  ): Promise<void>
  /** Saves a script: the steps recorded in a live browser, or a script of your own. */
  save(
    input: {
      /** The name of the script, unique in your team. */
      readonly name: string
      /** The id of an open live browser. */
      readonly session?: string | undefined
      /** Values typed while recording, by the parameter that replaces them: `{ "city": "Oslo" }`. Default: `{}`. */
      readonly parameters?:
        | {
            readonly [key: string]: string | readonly string[]
          }
        | undefined
      /** Names of secret parameters. Values of password fields are always secret. Default: `[]`. */
      readonly secrets?: readonly string[] | undefined
      readonly script?: Script | undefined
    },
    options?: WaitOptions,
  ): Promise<KeptScript>
  /** Runs a script without a model. Ends at the first step whose outcome differs from the recorded one, with a report of the page. */
  run(
    name: string,
    input?: {
      /** The value of each parameter: a string, or a list of strings. Default: `{}`. */
      readonly parameters?:
        | {
            readonly [key: string]: string | readonly string[]
          }
        | undefined
      /** The live browser to run in. Default: a new one, which is closed at the end. */
      readonly session?: string | undefined
      /** A version of the script. Default: the newest. */
      readonly version?: number | undefined
      /** Repairs a step whose element is no longer found, from similar elements. Default: `true`. */
      readonly repair?: boolean | undefined
      /** How long the run may take. Default: `60000`. */
      readonly timeout?: number | undefined
      /** Maximum time to wait for an element, or for the outcome of a step. Default: `5000`. */
      readonly stepTimeout?: number | undefined
      readonly profile?: BrowserProfile | undefined
    },
    options?: WaitOptions,
  ): Promise<ScriptRun>
  /** Deletes a script with its history. */
  delete(name: string, options?: WaitOptions): Promise<void>
  /** Lists the scripts of your team, by name. */
  list(options?: WaitOptions): Promise<readonly ScriptVersion[]>
  /** Returns a script with its steps. */
  get(
    name: string,
    input?: {
      /** Default: the newest version. */
      readonly version?: number | undefined
    },
    options?: WaitOptions,
  ): Promise<KeptScript>
  /** Lists the versions and repairs of a script, newest first. */
  history(name: string, options?: WaitOptions): Promise<ScriptHistory>
}

/** The endpoints of `records`. */
export interface Records {
  /** Returns the record of a request that had `record: true`, as a .warc.gz file. */
  get(id: string, options?: WaitOptions): Promise<Response>
  /** Deletes the record of a request. Repeating it has no effect. */
  delete(id: string, options?: WaitOptions): Promise<void>
}

/** The endpoints of `browsers`. */
export interface Browsers {
  /** Opens a live browser. */
  open(
    input?: {
      /** Default: `600`. */
      readonly ttl?: number | undefined
      /** Default: `300`. */
      readonly activityTtl?: number | undefined
      /** Records the network traffic of the run for a replay. */
      readonly record?: boolean | undefined
      /** Whether to record a video of the session, if the engine supports that. Default: true. */
      readonly recordSession?: boolean | undefined
      /** Offers a live view. Default: `true`. */
      readonly streamWebView?: boolean | undefined
      readonly profile?: BrowserProfile | undefined
    },
    options?: WaitOptions,
  ): Promise<OpenedBrowser>
  /** Lists the live browsers of your team, including ended ones, newest first. */
  list(
    input?: {
      readonly status?: 'active' | 'destroyed' | undefined
    },
    options?: WaitOptions,
  ): Promise<readonly ListedBrowser[]>
  /** Returns one live browser. */
  get(id: string, options?: WaitOptions): Promise<BrowserState>
  /** Ends a live browser. */
  close(id: string, options?: WaitOptions): Promise<BrowserEnd>
  /** Runs code in a live browser. */
  execute(
    id: string,
    input: {
      readonly code: string
      /** Default: `"node"`. */
      readonly language?: 'node' | 'python' | 'bash' | undefined
      /** Default: `30`. */
      readonly timeout?: number | undefined
    },
    options?: WaitOptions,
  ): Promise<Executed>
  /** Lists the tools that the page in a live browser declares to models. */
  tools(id: string, options?: WaitOptions): Promise<PageTools>
  /** Calls a tool that the page in a live browser declares to models. */
  callTool(
    id: string,
    input: {
      /** The name of the tool, as the page declares it. */
      readonly name: string
      /** The input, which must fit the schema of the tool. Default: `{}`. */
      readonly input?:
        | {
            readonly [key: string]: Json
          }
        | undefined
      /** Default: `30`. */
      readonly timeout?: number | undefined
    },
    options?: WaitOptions,
  ): Promise<PageToolResult>
  /** Creates a link to view a live browser, which expires. */
  share(
    id: string,
    input?: {
      /** Seconds until the link expires. It expires with its live browser at the latest. Default: `900`. */
      readonly ttl?: number | undefined
    },
    options?: WaitOptions,
  ): Promise<BrowserShare>
  /** Lists the active links to a live browser, newest first. */
  shares(id: string, options?: WaitOptions): Promise<readonly BrowserShare[]>
  /** Revokes a link to a live browser, and disconnects its viewers. */
  endShare(id: string, share: string, options?: WaitOptions): Promise<void>
  /** Runs code, or a task for a model, in the live browser of a scrape. The first call opens it. */
  interact(
    jobId: string,
    input?: {
      readonly code?: string | undefined
      readonly prompt?: string | undefined
      /** Secrets that the prompt refers to by placeholders. Each is filled in on one origin only. */
      readonly secrets?:
        | readonly {
            /** The name of the secret. Its placeholder in the prompt is `{{name}}`. */
            readonly name: string
            /** The value of the secret. It is never sent to a model or stored in a record. */
            readonly value: string
            /** The only origin where the secret may be filled in. */
            readonly origin: string
          }[]
        | undefined
      /** Hosts that the task may visit in addition to the site where it starts. */
      readonly allow?: readonly string[] | undefined
      /** Default: `"node"`. */
      readonly language?: 'node' | 'python' | 'bash' | undefined
      /** Default: `30`. */
      readonly timeout?: number | undefined
      /** Default: `600`. */
      readonly ttl?: number | undefined
      /** Default: `300`. */
      readonly activityTtl?: number | undefined
      /** Records the network traffic of the run for a replay. */
      readonly record?: boolean | undefined
      /** Whether to record a video of the session, if the engine supports that. Default: true. */
      readonly recordSession?: boolean | undefined
    },
    options?: WaitOptions,
  ): Promise<Interacted>
  /** Ends the live browser of a scrape. Repeating it has no effect. */
  stopInteraction(jobId: string, options?: WaitOptions): Promise<BrowserEnd>
}

/** The endpoints of `profiles`. */
export interface Profiles {
  /** Lists the profiles of your team, by name. */
  list(options?: WaitOptions): Promise<
    readonly {
      readonly name: string
      /** ISO 8601. */
      readonly savedAt: string
      /** Size of the state, in characters of JSON. */
      readonly size: number
    }[]
  >
  /** Returns the cookies and storage of a profile, as the storage state of Playwright. */
  export(
    name: string,
    options?: WaitOptions,
  ): Promise<{
    readonly cookies: readonly {
      readonly name: string
      readonly value: string
      readonly domain: string
      readonly path: string
      readonly expires: number
      readonly httpOnly: boolean
      readonly secure: boolean
      readonly sameSite?: 'Strict' | 'Lax' | 'None'
    }[]
    readonly origins: readonly {
      readonly origin: string
      readonly localStorage: readonly {
        readonly name: string
        readonly value: string
      }[]
    }[]
  }>
  /** Creates or replaces a profile from exported cookies and storage. */
  import(
    name: string,
    input: {
      /** The content of a cookies.txt file, a list of cookies as browser extensions export it, or the storage state of Playwright. */
      readonly state:
        | string
        | readonly {
            readonly name: string
            readonly value: string
            readonly domain: string
            readonly path?: string | undefined
            readonly expires?: number | undefined
            readonly expirationDate?: number | undefined
            readonly hostOnly?: boolean | undefined
            readonly httpOnly?: boolean | undefined
            readonly secure?: boolean | undefined
            readonly sameSite?: string | null | undefined
            readonly [key: string]: unknown
          }[]
        | {
            /** Default: `[]`. */
            readonly cookies?:
              | readonly {
                  readonly name: string
                  readonly value: string
                  readonly domain: string
                  readonly path?: string | undefined
                  readonly expires?: number | undefined
                  readonly expirationDate?: number | undefined
                  readonly hostOnly?: boolean | undefined
                  readonly httpOnly?: boolean | undefined
                  readonly secure?: boolean | undefined
                  readonly sameSite?: string | null | undefined
                  readonly [key: string]: unknown
                }[]
              | undefined
            /** Default: `[]`. */
            readonly origins?:
              | readonly {
                  readonly origin: string
                  readonly localStorage: readonly {
                    readonly name: string
                    readonly value: string
                  }[]
                  readonly [key: string]: unknown
                }[]
              | undefined
          }
      readonly loggedInMarker?: LoggedInMarker | undefined
    },
    options?: WaitOptions,
  ): Promise<{
    readonly name: string
    /** Number of cookies. */
    readonly cookies: number
    /** Number of origins with local storage. */
    readonly origins: number
    /** Number of cookies that were omitted because they have expired. */
    readonly expired: number
  }>
  /** Deletes a profile. */
  delete(name: string, options?: WaitOptions): Promise<void>
}

/** The endpoints of `people`. */
export interface People {
  /** Lists the requests to people of your team, newest first. */
  list(options?: WaitOptions): Promise<readonly PersonRequest[]>
  /** Asks a person to use a live browser at a page, with a link. */
  ask(
    input: {
      /** The page that needs a person. */
      readonly url: string
      /** The name of the profile that the person uses. It is saved afterwards. */
      readonly profile: string
      /** Why the page needs a person. Default: `"login_expired"`. */
      readonly reason?: 'login_expired' | 'captcha' | 'second_factor' | 'confirmation' | undefined
      /** Seconds that the pages wait for the person. Then they fail. Default: `3600`. */
      readonly timeout?: number | undefined
      /** The URL that receives the link for the person. Default: the webhook of the server. */
      readonly webhook?: string | undefined
    },
    options?: WaitOptions,
  ): Promise<PersonRequest>
  /** Returns a request to a person. */
  get(id: string, options?: WaitOptions): Promise<PersonRequest>
  /** Ends a request to a person: its live browser is closed, and the profile is saved. */
  finish(
    id: string,
    input?: {
      /** `done`: the pages are loaded again. `failed`: they fail. Default: `"done"`. */
      readonly result?: 'done' | 'failed' | undefined
    },
    options?: WaitOptions,
  ): Promise<PersonRequest>
  /** Returns the page of a link to a person. It changes nothing. */
  page(action: string, link: string, options?: WaitOptions): Promise<Response>
  /** Runs an action of the page of a link: `open`, `done` or `failed`. */
  act(action: string, link: string, options?: WaitOptions): Promise<Response>
}

/** The endpoints of `team`. */
export interface Team {
  /** Returns the credits that the team has left. */
  usage(options?: WaitOptions): Promise<Usage>
  /** Returns the credits that the team has left, as tokens. */
  tokenUsage(options?: WaitOptions): Promise<{
    readonly remainingTokens: number
    readonly planTokens: number
    /** True for a team without a limit. The numbers are then very large. */
    readonly unlimited: boolean
    readonly billingPeriodStart: string | null
    readonly billingPeriodEnd: string | null
  }>
  /** Lists the credits used by the team, by month or by day, and with `byApiKey` by key. */
  usageByPeriod(
    input?: {
      readonly byApiKey?: boolean | undefined
      /** The length of a period. Default: month. */
      readonly timeRange?: 'day' | 'month' | undefined
    },
    options?: WaitOptions,
  ): Promise<readonly UsagePeriod[]>
  /** Lists the credits used by the team as tokens, by month or by day, and with `byApiKey` by key. */
  tokenUsageByPeriod(
    input?: {
      readonly byApiKey?: boolean | undefined
      /** The length of a period. Default: month. */
      readonly timeRange?: 'day' | 'month' | undefined
    },
    options?: WaitOptions,
  ): Promise<
    readonly {
      readonly startDate: string
      readonly endDate: string | null
      readonly apiKey?: string
      readonly tokensUsed: number
      readonly totalTokens: number
    }[]
  >
  /** Returns the threat protection that applies to all requests of the team. */
  threatProtection(options?: WaitOptions): Promise<ThreatPolicy>
  /** Replaces the threat protection that applies to all requests of the team. */
  setThreatProtection(input?: NewThreatPolicy, options?: WaitOptions): Promise<ThreatPolicy>
  /** Returns how many pages of the team are loading and waiting. */
  queue(options?: WaitOptions): Promise<TeamQueue>
  /** Returns how many pages of the team are loading, and its maximum. */
  concurrency(options?: WaitOptions): Promise<{
    readonly concurrency: number
    readonly maxConcurrency: number
  }>
  /** Returns the expected, lowest and highest price of a request, with reasons. Runs nothing, and is free. */
  preview(
    input: {
      /** The operation: `scrape`, `crawl`, `batch`, `map`, `search`, or the name of a kind of job. */
      readonly kind: string
      /** The body of the request to its endpoint. */
      readonly request: {
        readonly [key: string]: unknown
      }
    },
    options?: WaitOptions,
  ): Promise<PricePreview>
}

/** The endpoints of `activity`. */
export interface Activity {
  /** Lists the requests of the team in the last 24 hours, newest first, including refused ones. */
  list(
    input?: {
      /** Only requests of this endpoint, or of this kind of job. */
      readonly endpoint?: string | undefined
      /** 1 to 100. Default: 50. Default: `50`. */
      readonly limit?: number | undefined
      /** The `cursor` of the previous page. */
      readonly cursor?: string | undefined
    },
    options?: WaitOptions,
  ): Promise<ActivityPage>
  /** Counts the requests of the team in each of the last 24 hours. */
  byHour(options?: WaitOptions): Promise<readonly ActiveHour[]>
  /** Returns the requests, failures, credits and time of each of the last 24 hours, by endpoint and key. */
  costs(options?: WaitOptions): Promise<readonly CostHour[]>
}

/** The endpoints of `feedback`. */
export interface Feedback {
  /** Stores feedback on a result, within 120 s. Nothing is refunded. */
  submit(
    input: {
      /** The endpoint of the request. */
      readonly endpoint: 'search' | 'scrape' | 'parse' | 'map'
      /** The id of its result. */
      readonly jobId: string
      /** How useful the result was. */
      readonly rating: 'good' | 'partial' | 'bad'
      /** The results that helped. */
      readonly valuableSources?:
        | readonly {
            readonly url: string
            readonly reason?: string | undefined
          }[]
        | undefined
      /** Topics that the result lacked. */
      readonly missingContent?:
        | readonly {
            readonly topic: string
            readonly description?: string | undefined
          }[]
        | undefined
      /** How the query should have been. */
      readonly querySuggestions?: string | undefined
      /** Short names of problems, such as `missing_table`. */
      readonly issues?: readonly string[] | undefined
      /** Names to find the feedback again. */
      readonly tags?: readonly string[] | undefined
      /** The feedback in plain words. */
      readonly note?: string | undefined
      /** The page that it is about. */
      readonly url?: string | undefined
      /** Pages of a document. */
      readonly pageNumbers?: readonly number[] | undefined
      /** Further data about the result. */
      readonly metadata?:
        | {
            readonly [key: string]: Json
          }
        | undefined
    },
    options?: WaitOptions,
  ): Promise<{
    readonly feedbackId: string
    /** Nothing is refunded here. */
    readonly creditsRefunded: 0
    readonly creditsRefundedToday: 0
    readonly dailyRefundCap: 0
    /** Present if there is feedback on this result already. */
    readonly alreadySubmitted?: true
  }>
  /** Stores feedback on a search, within 120 s. Nothing is refunded. */
  submitForSearch(
    id: string,
    input: {
      /** How useful the result was. */
      readonly rating: 'good' | 'partial' | 'bad'
      /** The results that helped. */
      readonly valuableSources?:
        | readonly {
            readonly url: string
            readonly reason?: string | undefined
          }[]
        | undefined
      /** Topics that the result lacked. */
      readonly missingContent?:
        | readonly {
            readonly topic: string
            readonly description?: string | undefined
          }[]
        | undefined
      /** How the query should have been. */
      readonly querySuggestions?: string | undefined
    },
    options?: WaitOptions,
  ): Promise<{
    readonly feedbackId: string
    /** Nothing is refunded here. */
    readonly creditsRefunded: 0
    readonly creditsRefundedToday: 0
    readonly dailyRefundCap: 0
    /** Present if there is feedback on this result already. */
    readonly alreadySubmitted?: true
  }>
  /** Lists the feedback of the team from the last 30 days, newest first. */
  list(
    input?: {
      /** Maximum number of entries. Default: `50`. */
      readonly limit?: number | undefined
    },
    options?: WaitOptions,
  ): Promise<readonly GivenFeedback[]>
}

/** The features that every server has. */
export interface OwnFeatures {
  readonly monitors: Monitors
  readonly datasets: Datasets
  readonly extractors: Extractors
  readonly chunks: Chunks
  readonly siteApis: SiteApis
  readonly scripts: Scripts
  readonly records: Records
  readonly browsers: Browsers
  readonly profiles: Profiles
  readonly people: People
  readonly team: Team
  readonly activity: Activity
  readonly feedback: Feedback
}

/** Their routes. */
export const ownRoutes: KnownRoutes = {
  monitors: {
    confirmEmail: {
      method: 'POST',
      path: '/v2/monitor/email/confirm',
      result: 'flat',
      hasInput: true,
      isRepeatable: true,
    },
    unsubscribeEmail: {
      method: 'POST',
      path: '/v2/monitor/email/unsubscribe',
      result: 'flat',
      hasInput: true,
      isRepeatable: true,
    },
    emailPage: { method: 'GET', path: '/v2/monitor/email/{action}/{token}', result: 'file' },
    answerEmailPage: { method: 'POST', path: '/v2/monitor/email/{action}/{token}', result: 'file', isRepeatable: true },
    create: { method: 'POST', path: '/v2/monitor', hasInput: true },
    list: { method: 'GET', path: '/v2/monitor', hasInput: true },
    feed: { method: 'GET', path: '/v2/monitor/feed/{secret}/{form}', result: 'file' },
    get: { method: 'GET', path: '/v2/monitor/{id}' },
    update: { method: 'PATCH', path: '/v2/monitor/{id}', hasInput: true },
    delete: { method: 'DELETE', path: '/v2/monitor/{id}', result: 'none' },
    run: { method: 'POST', path: '/v2/monitor/{id}/run' },
    checks: { method: 'GET', path: '/v2/monitor/{id}/checks', hasInput: true },
    check: { method: 'GET', path: '/v2/monitor/{id}/checks/{checkId}', hasInput: true },
  },
  datasets: {
    create: { method: 'POST', path: '/v2/datasets', hasInput: true },
    list: { method: 'GET', path: '/v2/datasets' },
    get: { method: 'GET', path: '/v2/datasets/{name}' },
    delete: { method: 'DELETE', path: '/v2/datasets/{name}', result: 'none' },
    put: { method: 'POST', path: '/v2/datasets/{name}/rows', hasInput: true, isRepeatable: true },
    collect: { method: 'POST', path: '/v2/datasets/{name}/collect', hasInput: true, isRepeatable: true },
    rows: { method: 'GET', path: '/v2/datasets/{name}/rows', result: 'flat', hasInput: true },
    row: { method: 'GET', path: '/v2/datasets/{name}/rows/{row}' },
    deleteRow: { method: 'DELETE', path: '/v2/datasets/{name}/rows/{row}', result: 'none' },
    query: { method: 'POST', path: '/v2/datasets/{name}/query', hasInput: true, isRepeatable: true, timeout: 10000 },
    export: { method: 'GET', path: '/v2/datasets/{name}/export', result: 'file', hasInput: true },
  },
  extractors: {
    list: { method: 'GET', path: '/v2/extractors' },
    get: { method: 'GET', path: '/v2/extractors/{id}' },
    edit: { method: 'PATCH', path: '/v2/extractors/{id}', hasInput: true },
    delete: { method: 'DELETE', path: '/v2/extractors/{id}', result: 'none' },
    versions: { method: 'GET', path: '/v2/extractors/{id}/versions' },
  },
  chunks: { changes: { method: 'GET', path: '/v2/chunks/changes/{job}', result: 'flat', hasInput: true } },
  siteApis: {
    list: { method: 'GET', path: '/v2/site-apis', result: 'flat', hasInput: true },
    get: { method: 'GET', path: '/v2/site-apis/{id}' },
    delete: { method: 'DELETE', path: '/v2/site-apis/{id}', result: 'none' },
    learnFromBrowser: { method: 'POST', path: '/v2/browser/{id}/site-api', result: 'flat', hasInput: true },
    learnFromRecord: { method: 'POST', path: '/v2/records/{id}/site-api', result: 'flat', hasInput: true },
    learnFromFile: { method: 'POST', path: '/v2/site-apis', result: 'flat', hasInput: true },
  },
  scripts: {
    record: { method: 'POST', path: '/v2/scripts/record', result: 'none', hasInput: true },
    save: { method: 'POST', path: '/v2/scripts', hasInput: true },
    run: { method: 'POST', path: '/v2/scripts/{name}/run', hasInput: true, timeout: 60000 },
    delete: { method: 'DELETE', path: '/v2/scripts/{name}', result: 'none' },
    list: { method: 'GET', path: '/v2/scripts' },
    get: { method: 'GET', path: '/v2/scripts/{name}', hasInput: true },
    history: { method: 'GET', path: '/v2/scripts/{name}/history' },
  },
  records: {
    get: { method: 'GET', path: '/v2/records/{id}', result: 'file' },
    delete: { method: 'DELETE', path: '/v2/records/{id}', result: 'none' },
  },
  browsers: {
    open: { method: 'POST', path: '/v2/browser', result: 'flat', hasInput: true },
    list: { method: 'GET', path: '/v2/browser', property: 'sessions', hasInput: true },
    get: { method: 'GET', path: '/v2/browser/{id}', result: 'flat' },
    close: { method: 'DELETE', path: '/v2/browser/{id}', result: 'flat' },
    execute: {
      method: 'POST',
      path: '/v2/browser/{id}/execute',
      result: 'whole',
      hasInput: true,
      timeout: 30,
      timeoutUnit: 's',
    },
    tools: { method: 'GET', path: '/v2/browser/{id}/tools', result: 'flat' },
    callTool: {
      method: 'POST',
      path: '/v2/browser/{id}/tools',
      result: 'flat',
      hasInput: true,
      timeout: 30,
      timeoutUnit: 's',
    },
    share: { method: 'POST', path: '/v2/browser/{id}/shares', result: 'flat', hasInput: true },
    shares: { method: 'GET', path: '/v2/browser/{id}/shares', property: 'shares' },
    endShare: { method: 'DELETE', path: '/v2/browser/{id}/shares/{share}', result: 'none' },
    interact: {
      method: 'POST',
      path: '/v2/scrape/{jobId}/interact',
      result: 'whole',
      hasInput: true,
      timeout: 30,
      timeoutUnit: 's',
    },
    stopInteraction: { method: 'DELETE', path: '/v2/scrape/{jobId}/interact', result: 'flat' },
  },
  profiles: {
    list: { method: 'GET', path: '/v2/profiles' },
    export: { method: 'GET', path: '/v2/profiles/{name}' },
    import: { method: 'PUT', path: '/v2/profiles/{name}', hasInput: true },
    delete: { method: 'DELETE', path: '/v2/browser/profiles/{name}', result: 'none' },
  },
  people: {
    list: { method: 'GET', path: '/v2/people', property: 'requests' },
    ask: { method: 'POST', path: '/v2/people', result: 'flat', hasInput: true, timeout: 3600, timeoutUnit: 's' },
    get: { method: 'GET', path: '/v2/people/{id}', result: 'flat' },
    finish: { method: 'POST', path: '/v2/people/{id}/finish', result: 'flat', hasInput: true, isRepeatable: true },
    page: { method: 'GET', path: '/v2/people/link/{action}/{link}', result: 'file' },
    act: { method: 'POST', path: '/v2/people/link/{action}/{link}', result: 'file', isRepeatable: true },
  },
  team: {
    usage: { method: 'GET', path: '/v2/team/credit-usage' },
    tokenUsage: { method: 'GET', path: '/v2/team/token-usage' },
    usageByPeriod: { method: 'GET', path: '/v2/team/credit-usage/historical', property: 'periods', hasInput: true },
    tokenUsageByPeriod: { method: 'GET', path: '/v2/team/token-usage/historical', property: 'periods', hasInput: true },
    threatProtection: { method: 'GET', path: '/v2/team/threat-protection' },
    setThreatProtection: { method: 'PUT', path: '/v2/team/threat-protection', hasInput: true },
    queue: { method: 'GET', path: '/v2/team/queue-status', result: 'flat' },
    concurrency: { method: 'GET', path: '/v2/concurrency-check', result: 'flat' },
    preview: { method: 'POST', path: '/v2/team/preview', hasInput: true, isRepeatable: true },
  },
  activity: {
    list: { method: 'GET', path: '/v2/team/activity', result: 'flat', hasInput: true },
    byHour: { method: 'GET', path: '/v2/team/activity/hours', property: 'hours' },
    costs: { method: 'GET', path: '/v2/team/activity/costs', property: 'hours' },
  },
  feedback: {
    submit: { method: 'POST', path: '/v2/feedback', result: 'flat', hasInput: true },
    submitForSearch: { method: 'POST', path: '/v2/search/{id}/feedback', result: 'flat', hasInput: true },
    list: { method: 'GET', path: '/v2/feedback', hasInput: true },
  },
}
