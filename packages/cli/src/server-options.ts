/** Flags that choose a server. `--store` means a local store, so it implies no server. */
export interface ServerFlags {
  readonly server?: string | undefined
  readonly key?: string | undefined
  readonly store?: string | undefined
}

export const serverOptions = [
  ['--server <address>', 'use this server: a URL, a name from `harvestman login`, or `local` for none'],
  ['--key <key>', 'the API key for that server'],
] as const
