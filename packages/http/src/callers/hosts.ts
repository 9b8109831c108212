// Guards against DNS rebinding: a web page can point its own host name to localhost and then call a server there as
// same-origin. The Host header still has that name, so only requests with a loopback host count as local.
const loopbackUrl = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/|$)/i

/** Returns whether the URL of a request has a loopback host: `localhost`, `127.x.x.x` or `[::1]`. */
export function isForLoopback(request: Request): boolean {
  return loopbackUrl.test(request.url)
}

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i

/** Returns whether a server that listens on this host is reachable from localhost only: `localhost`, `127.x.x.x` or `::1`. */
export function isLoopback(host: string): boolean {
  return loopbackHost.test(host)
}
