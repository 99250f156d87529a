import type { getAuthStatus, OAuth2Provider, Reply } from '@causeway/contract'

type AuthStatus = Reply<typeof getAuthStatus>

export interface SignInLayout {
  form: 'login' | 'register' | 'none'
  hasTelegram: boolean
  providers: OAuth2Provider[]
}

const PROVIDERS = ['pocketid', 'github', 'yandex'] as const

/** Methods of the sign-in page (the password stays beside other methods unless the server forbids it). */
export function signInLayout(status: AuthStatus): SignInLayout {
  if (!status.isLoginAllowed) {
    return { form: status.isRegisterAllowed ? 'register' : 'none', hasTelegram: false, providers: [] }
  }
  return {
    form: status.isPasswordLoginAllowed === false ? 'none' : 'login',
    hasTelegram: status.tgAuth !== null,
    providers: PROVIDERS.filter((provider) => status.oauth2.providers[provider]),
  }
}
