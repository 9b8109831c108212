import type { BrowserProfile, Tab } from './browser.ts'
import type { Guard } from './guard.ts'
import type { Json } from './value.ts'

/** Opens live browsers: pages that stay open between calls, and are driven by callers. */
export interface Sessions {
  /**
   * Must give a browser that shares nothing with any other session. Those of one team may share a process, those of two
   * teams and the tabs of scrapes must not.
   */
  open(wish: SessionWish, signal: AbortSignal): Promise<LiveBrowser>
  /** Must end every session that is still open. */
  close(): Promise<void>
}

/** Live browsers are made with the guard in hand; all of their traffic must pass it. */
export type MakeSessions = (guard: Guard) => Sessions

/** Options of a new live browser. */
export interface SessionWish {
  readonly team: string
  readonly profile: BrowserProfile
  /** State that an earlier session left: cookies and storage, as `save` gave them. */
  readonly state?: Json | undefined
  /** Must be told of what broke while a client's message was taken, beside ending that client's connection. */
  readonly onFault?: ((fault: unknown) => void) | undefined
}

/** A browser that stays open between calls. */
export interface LiveBrowser {
  /** The first page, with the hands and eyes of a scrape. */
  readonly tab: Tab
  /** Aborted with the reason when the browser is gone, or was closed. */
  readonly gone: AbortSignal
  /**
   * Says that something goes on with the pages until what it gives is called. While nothing does, and no viewer looks on
   * and no command of a client waits for its answer, pages may rest as those of a hidden window do.
   */
  use(): Promise<() => void>
  /**
   * A connection that speaks the DevTools protocol. Must show and reach the tabs of this session alone, and refuse every
   * command that reads files, leaves the guard or touches the browser itself.
   */
  connect(): Promise<Wire>
  /** Must give what is on the screen of a tab, and take input for it. */
  watch(viewer: Viewer): Promise<Screen>
  /**
   * Resolves when the pages respond. Must end a page that does not respond within a limit of its own, and open its URL again.
   * `snapshot`, `act` and `connect` must do the same first.
   */
  awake(signal: AbortSignal): Promise<void>
  /** Returns a sentence for each page that was ended since the last call. */
  takeNotes(): readonly string[]
  /** The page as text, with a reference for each element that can be acted on. */
  snapshot(signal: AbortSignal): Promise<Snapshot>
  /** Must act on the element that the last snapshot gave this reference, and reject with `action_failed` when it is gone. */
  act(action: LiveAction, signal: AbortSignal): Promise<void>
  /** Cookies and storage, for a session that comes later. */
  save(signal: AbortSignal): Promise<Json>
  /** Must not reject, and may be called twice. */
  close(): Promise<void>
}

/** Messages in both directions, each a text. */
export interface Wire {
  /** Must not throw, whatever the message is: it may come from a stranger. */
  send(message: string): void
  /** Must be set before the first message is sent. */
  onMessage: ((message: string) => unknown) | undefined
  /** Told of the fault when the connection ended because something of ours broke. */
  onClose: ((fault?: unknown) => void) | undefined
  close(): void
}

/** The elements of a page, as a model reads them. */
export interface Snapshot {
  readonly url: string
  readonly title: string
  /** A line for each element, indented by depth; those that can be acted on end in `[ref=e1]`. */
  readonly text: string
  /** What a reader of the text has to know: that the page was cut, or was ended and opened again. */
  readonly note?: string | undefined
}

/** Action of a person, by the references of the last snapshot. */
export type LiveAction =
  | { readonly type: 'click'; readonly ref: string }
  | {
      readonly type: 'fill'
      readonly ref: string
      readonly text: string
      /** The one origin whose page may be given the text. */
      readonly onlyOn?: string | undefined
    }
  | { readonly type: 'type'; readonly text: string }
  | { readonly type: 'press'; readonly key: string }
  | { readonly type: 'select'; readonly ref: string; readonly option: string }
  | { readonly type: 'scroll'; readonly direction: 'up' | 'down' }
  | { readonly type: 'goto'; readonly url: string }
  | { readonly type: 'back' }

/** Takes the pictures of a live browser. */
export interface Viewer {
  /** A JPEG. The next one comes when what this gives has resolved, and those in between are left out. */
  frame(frame: Frame): Promise<void>
  /** The tabs and the address changed. */
  tabs(tabs: readonly LiveTab[]): void
}

/** A picture of a live browser. */
export interface Frame {
  readonly jpeg: Uint8Array
  /** The size of the page in pixels of its own. */
  readonly width: number
  readonly height: number
  /** Time it was made, in milliseconds since 1970 of this machine. */
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

/** Input of a viewer. Points are in pixels of the page. */
export type ScreenInput =
  | { readonly type: 'mouse'; readonly kind: 'down' | 'up' | 'move'; readonly x: number; readonly y: number }
  | { readonly type: 'wheel'; readonly x: number; readonly y: number; readonly dx: number; readonly dy: number }
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'goto'; readonly url: string }
  | { readonly type: 'go'; readonly to: 'back' | 'forward' | 'reload' }
  | { readonly type: 'tab'; readonly id: string }
