// The elements and the state of the live view.

/** Returns an element of the view. */
export const find = (selector: string): HTMLElement => findOf(HTMLElement, selector)

/** Returns an element of a kind. */
export function findOf<T extends HTMLElement>(kind: new () => T, selector: string): T {
  const element = document.querySelector(selector)
  if (!(element instanceof kind)) throw new Error(`The live view has no element ${selector}.`)
  return element
}

/** The elements that several modules use. */
export const elements = {
  canvas: findOf(HTMLCanvasElement, 'canvas'),
  address: findOf(HTMLInputElement, '#address'),
  tabs: find('nav'),
}

/** What several modules read and write. */
export const view = {
  socket: undefined as WebSocket | undefined,
  mayAct: false,
  /** Pixels of the page, of which a picture may have fewer. */
  size: { width: 1280, height: 800 },
  /** Attempts to connect since the last picture. */
  tries: 0,
  isOver: false,
  isShown: false,
  hasFrame: false,
}

/** Sends a message of the person, who may only watch. */
export function send(message: object): void {
  if (view.mayAct && view.socket?.readyState === 1) view.socket.send(JSON.stringify(message))
}
