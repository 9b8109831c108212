import type { Protocol, Session } from '../lib/cdp.ts'

/** A frame of a page, and the protocol session for it. Frames of other sites may have a separate process and session. */
export interface Frame {
  readonly id: string
  parent: string | undefined
  session: Session
  url: string
  /** Loader id, which identifies the document in the frame. */
  loader: string
  /** The isolated world of our scripts in that document. */
  world: Promise<number> | undefined
}

export interface Frames {
  readonly main: Frame
  find(id: string): Frame | undefined
  /** Returns the main frame, then the others in the order they appeared. */
  all(): readonly Frame[]
  /** Resolves when the main frame shows the document of this loader, or a later one. */
  shown(loader: string): Promise<void>
  /** Tracks the frames that a session reports. */
  follow(session: Session): void
  /** Notes that a frame is now accessed through another session. */
  move(id: string, session: Session): void
}

const maxFrames = 200

/**
 * Creates the list of the frames of a page, also those in other processes, and keeps it current. `onNavigated` is called for
 * each new document. Frames beyond 200 are ignored.
 */
export function makeFrames(mainId: string, session: Session, onNavigated: (frame: Frame) => void): Frames {
  const frames = new Map<string, Frame>()
  let waiting: (() => void)[] = []
  const put = (id: string, parent: string | undefined, owner: Session): Frame | undefined => {
    const known = frames.get(id)
    if (!known && frames.size >= maxFrames) return undefined
    const frame = known ?? { id, parent, session: owner, url: 'about:blank', loader: '', world: undefined }
    if (frame.session !== owner) frame.world = undefined
    frame.session = owner
    frame.parent = parent ?? frame.parent
    frames.set(id, frame)
    return frame
  }
  const main = put(mainId, undefined, session)!

  const remove = (id: string): void => {
    if (id === mainId) return
    for (const frame of frames.values()) if (frame.parent === id) remove(frame.id)
    frames.delete(id)
  }

  const navigated = (owner: Session, { frame: news }: Protocol.Page.FrameNavigatedEvent): void => {
    const frame = put(news.id, news.parentId, owner)
    if (!frame) return
    frame.url = news.url + (news.urlFragment ?? '')
    frame.loader = news.loaderId
    frame.world = undefined
    for (const child of frames.values()) if (child.parent === frame.id) remove(child.id)
    if (frame === main) {
      for (const go of waiting) go()
      waiting = []
    }
    onNavigated(frame)
  }

  const follow = (owner: Session): void => {
    owner.on('Page.frameAttached', ({ frameId, parentFrameId }) => void put(frameId, parentFrameId, owner))
    owner.on('Page.frameNavigated', (event) => navigated(owner, event))
    owner.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      const frame = frames.get(frameId)
      if (frame) frame.url = url
    })
    owner.on('Page.frameDetached', ({ frameId, reason }) => {
      // A frame that moves to another process continues there.
      if (reason === 'remove' && frames.get(frameId)?.session === owner) remove(frameId)
    })
  }
  follow(session)
  return {
    main,
    find: (id) => frames.get(id),
    all: () => [...frames.values()],
    shown: (loader) => (main.loader === loader ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    follow,
    move: (id, owner) => void put(id, frames.get(id)?.parent, owner),
  }
}
