// A page on the web can let its own name point to this machine, and then ask a server here as if it were its own. The
// name it uses stays visible: requests that do not name the loopback are not from here.
const loopbackUrl = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/|$)/i

/** Returns whether a request was sent to a name that only this machine has. */
export function isForLoopback(request: Request): boolean {
  return loopbackUrl.test(request.url)
}

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i

/** Returns whether a server that listens there can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return loopbackHost.test(host)
}
