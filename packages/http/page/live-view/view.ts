// Elements and state of the live view.

/** Returns the element that matches a selector. Throws if there is none. */
export const find = (selector: string): HTMLElement => findOf(HTMLElement, selector)

/** Like `find`, but also checks the class of the element. Throws if there is none of this class. */
export function findOf<T extends HTMLElement>(kind: new () => T, selector: string): T {
  const element = document.querySelector(selector)
  if (!(element instanceof kind)) throw new Error(`The live view has no element ${selector}.`)
  return element
}

/** Elements that several modules use. */
export const elements = {
  canvas: findOf(HTMLCanvasElement, 'canvas'),
  address: findOf(HTMLInputElement, '#address'),
  tabs: find('nav'),
}

/** State that several modules read and write. */
export const view = {
  socket: undefined as WebSocket | undefined,
  mayAct: false,
  /** Size of the page in pixels. A frame may be smaller. */
  size: { width: 1280, height: 800 },
  /** Failed connection attempts since the last frame. */
  tries: 0,
  isOver: false,
  isShown: false,
  hasFrame: false,
}

/** Sends a message of the user. Does nothing if the user may only watch, or without a connection. */
export function send(message: object): void {
  if (view.mayAct && view.socket?.readyState === 1) view.socket.send(JSON.stringify(message))
}
