import { makeBotKey } from '@harvestman/data/manners'

import { exitCodes, type Shell } from './shell.ts'

/** Prints a new private key on standard output, and its name in the key directory on standard error. Returns the exit code. */
export function botKey({ out, err }: Shell): number {
  const { privateKey, id } = makeBotKey()
  out(`${privateKey}\n`)
  err(
    `The name of this key is ${id}. Keep the key secret.\n  → Set HARVESTMAN_BOT_KEYS, HARVESTMAN_BOT_AGENT and HARVESTMAN_USER_AGENT\n`,
  )
  return exitCodes.done
}
