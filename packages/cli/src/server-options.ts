/** Flags that choose a server. `--store` means a local store, so it implies no server. */
export interface ServerFlags {
  readonly server?: string | undefined
  readonly key?: string | undefined
  readonly store?: string | undefined
}

export const serverOptions = [
  ['--server <address>', 'ask this server: an address, a name from `harvestman login`, or `local` for this machine'],
  ['--key <key>', 'the API key for that server'],
] as const
