import { availableParallelism } from 'node:os'

const minute = 60_000

/** Options of `puppeteerBrowser` and `puppeteerSessions`. */
export interface PuppeteerOptions {
  /** Path of a Chromium or Chrome. Default: found automatically. */
  readonly executablePath?: string | undefined
  /**
   * The `ws://` or `http://` URL of a running browser to use instead of starting one. With several, tabs are distributed over
   * the browsers that respond.
   */
  readonly endpoint?: string | readonly string[] | undefined
  /** Which kind to use if both are installed: the headless shell needs less CPU, the full browser is what people use. */
  readonly prefer?: 'shell' | 'full' | undefined
  /**
   * Whether to use Chromium's sandbox. By default it is used if the system allows it. If this process is root, the browser runs
   * as an unprivileged user. If any of this is not possible, `onEvent` receives `unconfined`.
   */
  readonly sandbox?: boolean | undefined
  /** Maximum number of open tabs; others wait. Default: twice the number of CPU cores. */
  readonly tabs?: number | undefined
  /**
   * Maximum memory of one page in bytes, not only its JavaScript heap. A page that exceeds it is killed. Default:
   * 1,000,000,000. Linux only.
   */
  readonly pageMemory?: number | undefined
  /**
   * Limits of one browser, for all its processes together. Enforced by a control group, in addition to the other limits, if
   * this process may create one. Otherwise the browser starts without them.
   */
  readonly limits?: Partial<BrowserLimits> | undefined
  /**
   * CPU priority of the browsers as a nice value, from 0 (no lower than other work) to 19. Default: 0 for scrapes and 10 for
   * live browsers, so that live browsers do not slow down crawls. Not on Windows.
   */
  readonly nice?: number | undefined
  /** Time without use after which the pages of a live browser are hidden, in milliseconds. Default: 15,000. */
  readonly rest?: number | undefined
  /**
   * Time after which an unresponsive page of a live browser is killed and its URL reopened, in milliseconds. Default: 30,000.
   */
  readonly unresponsive?: number | undefined
  /** When to replace a browser by a new one. */
  readonly recycle?: Partial<RecycleOptions> | undefined
  /** Time without tabs after which the browser is closed, in milliseconds. Default: 60,000. */
  readonly idle?: number | undefined
  /** IP or host name at which a remote browser can reach this host. Required for an `endpoint` on another host. */
  readonly reachableAt?: string | undefined
  /** Called when a browser starts or ends, with the reason. */
  readonly onEvent?: ((event: BrowserEvent) => void) | undefined
}

/** Limits of one browser. */
export interface BrowserLimits {
  /**
   * Memory in bytes. Default: `pageMemory` for each of the `tabs` plus one (three in total for a live browser), at most 75% of
   * the memory available to this process.
   */
  readonly memory: number
  /** Number of processes and threads. Default: 1,000, plus 500 for each tab. */
  readonly processes: number
  /** Number of CPUs. May be a fraction. Default: no limit. */
  readonly processors?: number | undefined
}

/** When to replace a browser by a new one. */
export interface RecycleOptions {
  /** Maximum number of tabs that one browser opens in its lifetime. */
  readonly pages: number
  /** Maximum age, in milliseconds. */
  readonly age: number
  /** Maximum memory of all processes of one browser, in bytes. */
  readonly memory: number
}

/** Something that happened to a browser. */
export interface BrowserEvent {
  readonly kind: 'started' | 'recycled' | 'idle' | 'gone' | 'strangers' | 'unconfined'
  readonly pid: number | undefined
  readonly reason: string
}

export const defaultTabs = Math.max(2, 2 * availableParallelism())
export const defaultIdle = minute
/** Scrapes take precedence over live browsers. */
export const defaultLiveNice = 10
// Long enough for a user or a model to decide on the next step.
export const defaultRest = 15_000
// The same as the default timeout of a call. A large page may need several seconds on a slow host.
export const defaultUnresponsive = 30_000
export const defaultPageMemory = 1_000_000_000
export const defaultRecycle: RecycleOptions = { pages: 1_000, age: 60 * minute, memory: 3_000_000_000 }

/** Interval between health checks of a browser and their timeout, in milliseconds. */
export const heartbeat = { every: 4_000, within: 4_000 }

/** Maximum number of tabs of one live browser, including those opened by its pages. */
export const maxTabs = 20
