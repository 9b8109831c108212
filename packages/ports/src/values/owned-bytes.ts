import type { Owned, OwnedBytes } from '../bytes.ts'

// The mark is on the bytes themselves: entries of a `WeakMap` survive minor collections.
const mark = Symbol('owned')

interface Marked {
  [mark]?: boolean
}

/**
 * Declares that only the caller holds these bytes, and marks them as owned. A view of a larger buffer is copied, because the
 * rest may belong to others.
 */
export function ownBytes<View extends ArrayBufferView>(view: View): Owned<View> {
  const alone = hasBufferToItself(view) ? view : copyOf(view)
  ;(alone as Marked)[mark] = true
  return alone as Owned<View>
}

/**
 * Takes ownership of bytes without a copy. Returns `undefined` for a view of a larger buffer, of which somebody else may need the
 * rest.
 */
export function ownWhole(bytes: Uint8Array): OwnedBytes | undefined {
  return hasBufferToItself(bytes) ? ownBytes(bytes) : undefined
}

const lone = Symbol('lone')

interface Lone {
  [lone]?: boolean
}

/** Declares that nobody else needs the rest of this view's buffer, so that the buffer is freed together with the view. */
export function loneView<View extends ArrayBufferView>(view: View): View {
  ;(view as Lone)[lone] = true
  return view
}

/**
 * Frees memory that only the caller holds; the bytes are empty afterwards. Has no effect if the buffer may have other holders.
 */
export function freeAlone(bytes: Uint8Array): void {
  if (hasBufferToItself(bytes) || (bytes as Lone)[lone]) (bytes.buffer as ArrayBuffer).transfer(0)
}

/** Returns whether bytes of unknown origin are marked as owned. */
export function isOwned(bytes: Uint8Array): bytes is OwnedBytes {
  return (bytes as Marked)[mark] === true
}

/** Marks bytes as shared by several holders: from then on they are neither moved nor freed. */
export function share(bytes: Uint8Array): void {
  if (isOwned(bytes)) (bytes as Marked)[mark] = false
}

/**
 * Returns the buffer for the transfer list of a message. Once it is transferred, the receiver owns it, and the bytes here are
 * empty.
 */
export function bufferOf({ buffer }: OwnedBytes): ArrayBuffer {
  return buffer as ArrayBuffer
}

/**
 * Frees the memory of bytes now; they are empty afterwards. V8 sees only the small object, not its buffer, so it would free
 * them late.
 */
export function free({ buffer }: Owned<ArrayBufferView>): void {
  ;(buffer as ArrayBuffer).transfer(0)
}

function hasBufferToItself({ buffer, byteLength }: ArrayBufferView): boolean {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
}

function copyOf<View extends ArrayBufferView>(view: View): View {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice()
  const Kind = view.constructor as new (buffer: ArrayBuffer) => View
  return (Buffer.isBuffer(view) ? Buffer.from(bytes.buffer) : new Kind(bytes.buffer)) as View
}
