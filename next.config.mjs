/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // A redirect of the framework would come before the guard. Pages are found with a slash at the end too.
  skipTrailingSlashRedirect: true,
  // Answers travel over loopback: compressing them costs more than it saves.
  compress: false,
};
