/** Proxy credentials of a context's route. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

export const realm = 'harvestman'

/** Returns whether an authentication challenge comes from our proxy. */
export function isOwnChallenge(challenge: unknown): boolean {
  const { source, realm: name } = (challenge ?? {}) as { readonly source?: unknown; readonly realm?: unknown }
  return source === 'Proxy' && name === realm
}
