import { laterPageConfig, LATER_PLATFORMS, type LaterApp, type LaterPageConfig, type LaterPlatform } from '@causeway/contract'

// A page configuration as a form. Members that the form does not know stay as they are, in their order.

/** The configuration that a text is; undefined while it is none. */
export function configOf(text: string): LaterPageConfig | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // as: it has just been checked, and the parsed copy would have its members in another order
    return laterPageConfig.safeParse(value).success ? (value as LaterPageConfig) : undefined
  } catch {
    return undefined
  }
}

export function withBranding(config: LaterPageConfig, change: Partial<LaterPageConfig['brandingSettings']>): LaterPageConfig {
  return { ...config, brandingSettings: { ...config.brandingSettings, ...change } }
}

export function withLook(config: LaterPageConfig, change: Partial<LaterPageConfig['uiConfig']>): LaterPageConfig {
  return { ...config, uiConfig: { ...config.uiConfig, ...change } }
}

/** In the order of the product, whatever that of the configuration. */
export function platformsOf({ platforms }: LaterPageConfig): LaterPlatform[] {
  return LATER_PLATFORMS.filter((platform) => platforms[platform] !== undefined)
}

export function appsOf({ platforms }: LaterPageConfig, platform: LaterPlatform): readonly LaterApp[] {
  return platforms[platform]?.apps ?? []
}

export function withApps(config: LaterPageConfig, platform: LaterPlatform, apps: readonly LaterApp[]): LaterPageConfig {
  const held = config.platforms[platform]
  return held ? { ...config, platforms: { ...config.platforms, [platform]: { ...held, apps: [...apps] } } } : config
}

export function movedApp(apps: readonly LaterApp[], from: number, to: number): LaterApp[] {
  const next = [...apps]
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}
