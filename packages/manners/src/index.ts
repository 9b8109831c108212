// The public API of this package.
export {
  botAuth,
  botDirectory,
  botDirectoryPath,
  type BotAuthOptions,
  type BotDirectoryOptions,
} from './bot-auth/bot-auth.ts'
export { makeBotKey, type NewBotKey } from './bot-auth/bot-key.ts'
