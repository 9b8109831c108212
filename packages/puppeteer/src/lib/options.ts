import { availableParallelism } from 'node:os'

const minute = 60_000

/** Options of `puppeteerBrowser` and `puppeteerSessions`. */
export interface PuppeteerOptions {
  /** The path of a Chromium or Chrome. Found by itself when absent. */
  readonly executablePath?: string | undefined
  /**
   * The `ws://` or `http://` address of a browser that runs already, in place of one that is started; or several, each of
   * which takes tabs as long as it answers.
   */
  readonly endpoint?: string | readonly string[] | undefined
  /** Which kind is taken when both are installed: the shell is cheaper, the full one is what people use. */
  readonly prefer?: 'shell' | 'full' | undefined
  /**
   * Whether Chromium keeps its sandbox. When absent it does, wherever the system lets it; where this process is root, the
   * browser runs as a user number that owns nothing, and `onEvent` is told (`unconfined`) when it could not be so.
   */
  readonly sandbox?: boolean | undefined
  /** How many tabs may be open at once; others wait. Twice the cores when absent. */
  readonly tabs?: number | undefined
  /** Bytes that one page may hold, heap and all else; its tab is ended then. 1,000,000,000 when absent. Linux only. */
  readonly pageMemory?: number | undefined
  /**
   * What one browser may have, all its processes together. The kernel holds it to that in a control group, the last of the
   * bounds, where the system lets this process make one; elsewhere the browser starts without it.
   */
  readonly limits?: Partial<BrowserLimits> | undefined
  /**
   * How much of the processor its browsers leave to other work when there is too little: 0 (none) to 19, as `nice` has it.
   * When absent, 0 for browsers that scrape and 10 for live ones, so that a live browser slows no crawl down. Not on Windows.
   */
  readonly nice?: number | undefined
  /** Milliseconds without a use after which the pages of a live browser rest: they are hidden. 15,000 when absent. */
  readonly rest?: number | undefined
  /**
   * Milliseconds after which a page of a live browser that does not respond is ended, and its URL is opened again.
   * 30,000 when absent.
   */
  readonly unresponsive?: number | undefined
  /** When a browser is replaced by a new one. */
  readonly recycle?: Partial<RecycleOptions> | undefined
  /** Milliseconds without a tab after which the browser is ended. A minute when absent. */
  readonly idle?: number | undefined
  /** The address of this machine that a browser at an `endpoint` elsewhere can reach. */
  readonly reachableAt?: string | undefined
  /** Is told how each browser ended and why. */
  readonly onEvent?: ((event: BrowserEvent) => void) | undefined
}

/** Bounds of each browser. */
export interface BrowserLimits {
  /**
   * Bytes, of any kind. When absent, `pageMemory` for each of its `tabs` and once more (of a live browser three times), at
   * most three quarters of what this process may have.
   */
  readonly memory: number
  /** Processes and their threads. 1,000 when absent, and 500 more for each tab. */
  readonly processes: number
  /** Processors; parts of one too. All of them when absent. */
  readonly processors?: number | undefined
}

/** When a browser is replaced by a new one. */
export interface RecycleOptions {
  /** Tabs that one browser opens in its life. */
  readonly pages: number
  /** Milliseconds that one browser lives. */
  readonly age: number
  /** Bytes that all processes of one browser may hold. */
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
/** Live browsers give way to those that scrape. */
export const defaultLiveNice = 10
// Long enough for a person, or a model, to think about the next step.
export const defaultRest = 15_000
// As long as a call has by default. A large page may need some seconds on a slow host.
export const defaultUnresponsive = 30_000
export const defaultPageMemory = 1_000_000_000
export const defaultRecycle: RecycleOptions = { pages: 1_000, age: 60 * minute, memory: 3_000_000_000 }

/** Milliseconds between two looks at a browser, and what it may take to answer. */
export const heartbeat = { every: 4_000, within: 4_000 }

/** Tabs of one live browser, whoever opened them. */
export const maxTabs = 20
