import type { Owned, OwnedBytes } from '../bytes.ts'

// On the bytes themselves: what a `WeakMap` holds survives small collections.
const mark = Symbol('owned')

interface Marked {
  [mark]?: boolean
}

/**
 * Says that the caller alone holds these bytes, and from now on owns them. A view of a larger buffer, whose rest may
 * belong to others, is copied.
 */
export function ownBytes<View extends ArrayBufferView>(view: View): Owned<View> {
  const alone = hasBufferToItself(view) ? view : copyOf(view)
  ;(alone as Marked)[mark] = true
  return alone as Owned<View>
}

/** The same where no copy is worth it: gives nothing for a view of a larger buffer. */
export function ownWhole(bytes: Uint8Array): OwnedBytes | undefined {
  return hasBufferToItself(bytes) ? ownBytes(bytes) : undefined
}

const lone = Symbol('lone')

interface Lone {
  [lone]?: boolean
}

/** Says that nothing else is in the buffer of this view that is of use to others, so that it is freed with the view. */
export function loneView<View extends ArrayBufferView>(view: View): View {
  ;(view as Lone)[lone] = true
  return view
}

/** Gives memory back that the caller alone holds; nothing where the buffer may belong to others too. */
export function freeAlone(bytes: Uint8Array): void {
  if (hasBufferToItself(bytes) || (bytes as Lone)[lone]) (bytes.buffer as ArrayBuffer).transfer(0)
}

/** Returns whether bytes of unknown origin are the caller's own. */
export function isOwned(bytes: Uint8Array): bytes is OwnedBytes {
  return (bytes as Marked)[mark] === true
}

/** Gives bytes out to more than one: from now on they are neither moved nor freed. */
export function share(bytes: Uint8Array): void {
  if (isOwned(bytes)) (bytes as Marked)[mark] = false
}

/** The buffer, to be put into the transfer list of a message: where it goes it has a new owner. */
export function bufferOf({ buffer }: OwnedBytes): ArrayBuffer {
  return buffer as ArrayBuffer
}

/**
 * Gives the memory of bytes back. V8 sees only the small object before them, and would leave them for long.
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
