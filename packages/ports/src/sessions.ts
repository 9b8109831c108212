import type { BrowserProfile, Tab } from './browser.ts'
import type { Guard } from './guard.ts'
import type { Json } from './value.ts'

/** Opens live browsers: browsers that stay open between calls and are controlled by callers. */
export interface Sessions {
  /**
   * Must return a browser that shares nothing with any other session. Sessions of one team may share a process; sessions of
   * different teams, or sessions and scrapes, must not.
   */
  open(wish: SessionWish, signal: AbortSignal): Promise<LiveBrowser>
  /** Must end every open session. */
  close(): Promise<void>
}

/** Creates live browsers with a guard, which all of their traffic must pass. */
export type MakeSessions = (guard: Guard) => Sessions

/** Options of a new live browser. */
export interface SessionWish {
  readonly team: string
  readonly profile: BrowserProfile
  /** State saved by an earlier session: cookies and storage, as returned by `save`. */
  readonly state?: Json | undefined
  /**
   * Expressions that must run in each new document of the session, in the world of the page's scripts and before them. Errors
   * must be ignored.
   */
  readonly scripts?: readonly string[] | undefined
  /**
   * Must be called with internal errors in the handling of a client's message, in addition to closing that client's connection.
   */
  readonly onFault?: ((fault: unknown) => void) | undefined
}

/** A browser that stays open between calls. */
export interface LiveBrowser {
  /** The first page, with the actions of a scrape. */
  readonly tab: Tab
  /** Aborted with the reason when the browser has crashed or was closed. */
  readonly gone: AbortSignal
  /**
   * Marks the pages as in use until the returned function is called. While they are not in use, no viewer is connected and no
   * command of a client is pending, pages may be throttled as in a hidden window.
   */
  use(): Promise<() => void>
  /**
   * Opens a connection that speaks the DevTools protocol. Must expose the tabs of this session only, and refuse commands that
   * read files, bypass the guard or affect the browser itself.
   */
  connect(): Promise<Wire>
  /** Must stream the screen of a tab, and accept input for it. */
  watch(viewer: Viewer): Promise<Screen>
  /**
   * Resolves when the pages respond. Must end a page that does not respond within an internal timeout, and open its URL again.
   * `snapshot`, `act` and `connect` must do the same first.
   */
  awake(signal: AbortSignal): Promise<void>
  /** Returns one sentence for each page that was ended since the last call. */
  takeNotes(): readonly string[]
  /** Returns the page in text form, with a reference for each element that supports actions. */
  snapshot(signal: AbortSignal): Promise<Snapshot>
  /**
   * Must act on the element with this reference in the last snapshot, and reject with `action_failed` if it no longer exists.
   */
  act(action: LiveAction, signal: AbortSignal): Promise<void>
  /**
   * Must call a function in the page in front, in the world of its scripts, and return its result. `script` is an expression
   * whose value is the function; its result must be a string, or a promise of one. Must reject with `action_failed` if it throws,
   * if its result is not a string or has more than 1,000,000 characters, and with `reason: 'navigated'` in `details` if the page
   * is replaced meanwhile. The page may change the result, which is untrusted.
   */
  call(script: string, args: readonly Json[], signal: AbortSignal): Promise<string>
  /** Returns cookies and storage, for a later session. */
  save(signal: AbortSignal): Promise<Json>
  /** Must not reject, and may be called twice. */
  close(): Promise<void>
}

/** A two-way connection of string messages. */
export interface Wire {
  /** Must not throw, whatever the message is: it may come from an untrusted client. */
  send(message: string): void
  /** Must be set before the first message is sent. */
  onMessage: ((message: string) => unknown) | undefined
  /** Called with the error if the connection ended because of an internal error. */
  onClose: ((fault?: unknown) => void) | undefined
  close(): void
}

/** The elements of a page in a text form for models. */
export interface Snapshot {
  readonly url: string
  readonly title: string
  /** One line per element, indented by depth; elements that support actions end in `[ref=e1]`. */
  readonly text: string
  /** A note for the reader, for example that `text` was truncated, or that the page was killed and reopened. */
  readonly note?: string | undefined
}

/** An action of a person, by the references of the last snapshot. */
export type LiveAction =
  | { readonly type: 'click'; readonly ref: string }
  | {
      readonly type: 'fill'
      readonly ref: string
      readonly text: string
      /** If set, types only into a page of this origin. */
      readonly onlyOn?: string | undefined
    }
  | { readonly type: 'type'; readonly text: string }
  | { readonly type: 'press'; readonly key: string }
  | { readonly type: 'select'; readonly ref: string; readonly option: string }
  | { readonly type: 'scroll'; readonly direction: 'up' | 'down' }
  | { readonly type: 'goto'; readonly url: string }
  | { readonly type: 'back' }

/** Receives the screen of a live browser. */
export interface Viewer {
  /** Receives an image. The next one is sent when the promise has resolved; images in between are skipped. */
  frame(frame: Frame): Promise<void>
  /** Called when the tabs or their URLs change. */
  tabs(tabs: readonly LiveTab[]): void
}

/** An image of a live browser. */
export interface Frame {
  readonly jpeg: Uint8Array
  /** Size of the page in CSS pixels. */
  readonly width: number
  readonly height: number
  /** Time of the image by the clock of this host, in milliseconds since 1970. */
  readonly at: number
}

/** A page that is open in a live browser. */
export interface LiveTab {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly isShown: boolean
}

/** The screen of a live browser while it has viewers. */
export interface Screen {
  input(input: ScreenInput): Promise<void>
  close(): void
}

/** Input of a viewer. Coordinates are in pixels of the page. */
export type ScreenInput =
  | { readonly type: 'mouse'; readonly kind: 'down' | 'up' | 'move'; readonly x: number; readonly y: number }
  | { readonly type: 'wheel'; readonly x: number; readonly y: number; readonly dx: number; readonly dy: number }
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'goto'; readonly url: string }
  | { readonly type: 'go'; readonly to: 'back' | 'forward' | 'reload' }
  | { readonly type: 'tab'; readonly id: string }
