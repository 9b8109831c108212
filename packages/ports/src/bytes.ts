declare const owned: unique symbol

/**
 * Bytes with one owner, who holds the only reference and a buffer to itself. Only these can be moved to a thread or
 * freed, and both leave them empty. All others are plain bytes: they can be read, and must not be changed. `ownBytes`
 * makes them; there is no way back from plain bytes but a copy.
 */
export type Owned<View extends ArrayBufferView> = View & { readonly [owned]: true }

/** Bytes that have no other holder, so that they may be moved to a thread. */
export type OwnedBytes = Owned<Uint8Array>
