// The package imports fetch, caches and WebSockets as well, and sets a global dispatcher, which takes four times as long as these two
// files. They have no types of their own. The dependency is pinned to an exact version.
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici'
}
