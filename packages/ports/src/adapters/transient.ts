/**
 * A map of what is under way, whose entries come and go many times a second. Do not add to it while you iterate over it.
 *
 * V8 gives a `Map` a new table every few changes, and a table that was replaced points to the next one. Once one of them
 * is in the old generation, all tables after it live until the next full collection, with what they held when they were
 * replaced: requests that are over are copied by each minor collection, and the heap grows. Another map ends the chain.
 */
export class TransientMap<Key, Value> {
  #entries = new Map<Key, Value>()
  #deleted = 0

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  set(key: Key, value: Value): this {
    if (this.#deleted > longest + this.#entries.size) {
      this.#entries = new Map(this.#entries)
      this.#deleted = 0
    }
    this.#entries.set(key, value)
    return this
  }

  delete(key: Key): boolean {
    this.#deleted += 1
    return this.#entries.delete(key)
  }

  clear(): void {
    this.#entries = new Map()
    this.#deleted = 0
  }

  keys(): MapIterator<Key> {
    return this.#entries.keys()
  }

  values(): MapIterator<Value> {
    return this.#entries.values()
  }

  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.#entries[Symbol.iterator]()
  }
}

/** A set of what is under way, as a `TransientMap` is a map of it. */
export class TransientSet<Value> {
  readonly #members = new TransientMap<Value, true>()

  get size(): number {
    return this.#members.size
  }

  has(value: Value): boolean {
    return this.#members.has(value)
  }

  add(value: Value): this {
    this.#members.set(value, true)
    return this
  }

  delete(value: Value): boolean {
    return this.#members.delete(value)
  }

  clear(): void {
    this.#members.clear()
  }

  [Symbol.iterator](): MapIterator<Value> {
    return this.#members.keys()
  }
}

/** Deletions after which another map is made; with more entries, as many as there are, so that none is copied often. */
const longest = 32
