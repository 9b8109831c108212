/** What opens the route of a context. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

export const realm = 'harvestman'

/** Whether an authentication challenge of the protocol comes from our proxy. */
export function isOwnChallenge(challenge: unknown): boolean {
  const { source, realm: name } = (challenge ?? {}) as { readonly source?: unknown; readonly realm?: unknown }
  return source === 'Proxy' && name === realm
}
