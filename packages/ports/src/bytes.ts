declare const owned: unique symbol

/**
 * Bytes with one owner, who holds the only reference and the whole buffer. Only these can be moved to a thread or freed; both
 * leave them empty. All others are plain bytes: they can be read, and must not be changed. `ownBytes` creates them; from plain
 * bytes that may need a copy.
 */
export type Owned<View extends ArrayBufferView> = View & { readonly [owned]: true }

/** Bytes without any other holder, so that they may be moved to a thread. */
export type OwnedBytes = Owned<Uint8Array>
