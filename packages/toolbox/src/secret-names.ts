/** Lower-case names of query parameters and fields whose values are always secret. */
export const secretParameters: readonly string[] = [
  'api_key',
  'apikey',
  'api-key',
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'password',
  'passwd',
  'pwd',
  'passphrase',
  'credential',
  'credentials',
  'jwt',
  'otp',
]
