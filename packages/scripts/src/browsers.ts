// What scripts need of the live browsers of an engine, which the owner of the port provides.
import type { FeatureCall, profileOption } from '@harvestman/core/plugin'
import type { Wire } from '@harvestman/ports'
import type { z } from 'zod'

type ProfileOption = z.output<typeof profileOption>

/** A secret of a task. Recordings contain its name and not its value. */
export interface TaskSecret {
  readonly name: string
  readonly value: string
  /** The only origin on which it is filled in. */
  readonly origin: string
}

/** Called with the secret that a task is about to fill in, and with `undefined` after the step. */
export type OnTaskSecret = (secret: TaskSecret | undefined) => void

/** The limits of a browser to some sites. */
export interface SiteLimits {
  /** Returns the first URL that was blocked since the last call, if any. */
  takeRefused(): string | undefined
  release(): void
}

type KeyAction = { readonly type: 'press'; readonly key: string } | { readonly type: 'goto'; readonly url: string }

/** A live browser in which scripts are recorded and run. */
export interface ScriptBrowser {
  readonly id: string
  /** Aborted when the browser has ended, with the reason. */
  readonly closed: AbortSignal
  connect(): Promise<Wire>
  act(action: KeyAction, options: { readonly signal: AbortSignal }): Promise<void>
  confine(allows: (address: string) => boolean): SiteLimits
  watchSecrets(listener: OnTaskSecret): () => void
  stop(): Promise<unknown>
}

/** Options of a new live browser. */
interface BrowserRequest {
  /** In seconds. */
  readonly ttl: number
  /** The profile that it starts with, and that is saved when it ends. */
  readonly profile?: ProfileOption
}

/** The live browsers of an engine. */
export interface ScriptBrowsers {
  find(id: string, call: Pick<FeatureCall, 'team'>): Promise<ScriptBrowser>
  open(request: BrowserRequest, call: FeatureCall): Promise<ScriptBrowser>
}
